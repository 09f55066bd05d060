import type { Line } from '../../src/placing/types.ts';
import { line } from '../placing/lines.ts';
import { unknownSku, type Variant } from './model-service.ts';
import type { Random } from './scheduler.ts';

export const defaultService: Variant = {
  cartKept: false,
  merged: false,
  reuse: false,
  readLagMs: 0,
  replacing: false,
  itemsUnreadable: false,
  unknownItemNotFound: false,
  split: false,
  overOrders: false,
  refusing: false,
  doubling: false,
};

const variations: Partial<Variant>[] = [
  { cartKept: true },
  { merged: true },
  { reuse: true },
  { readLagMs: 700 },
  { replacing: true },
  { itemsUnreadable: true },
  { unknownItemNotFound: true },
  { split: true },
  { overOrders: true },
  { refusing: true },
  { doubling: true },
];

/** Even seeds use the default service; odd ones every variation alone and every pair of variations. */
export const variantOf = (seed: number): Variant => {
  if (seed % 2 === 0) return defaultService;
  const pair = (seed - 1) / 2;
  const one = variations[pair % variations.length];
  const other = variations[Math.floor(pair / variations.length) % variations.length];
  return { ...defaultService, ...one, ...other };
};

/** The properties of a PO. */
export interface Plan {
  id: string;
  poNumber: string;
  lines: Line[];
  /** Somebody else's cart or orders already exist under the number. */
  foreignCart: boolean;
  foreignOrders: boolean;
  /** Somebody else orders under the number during the simulation. */
  handOrder: boolean;
  unknownItem: boolean;
  quoteOnly: boolean;
  /** It was cancelled and replaced by another PO with its number. */
  succeeded: boolean;
}

export const planOf = (id: string, random: Random): Plan => {
  const unknownItem = random.chance(0.08);
  const count = 1 + Math.floor(random.between(0, 3));
  const lines = Array.from({ length: count }, (_, at) => {
    const sku = unknownItem && at === count - 1 ? unknownSku : random.pick(['A', 'B', 'C']);
    const byId = random.chance(0.2);
    return line({
      rowNumber: at + 2,
      itemSku: byId ? undefined : sku,
      itemId: byId ? `id-${sku}` : undefined,
      quantity: 1 + Math.floor(random.between(0, 4)),
    });
  });
  return {
    id,
    poNumber: `PO-${id}`,
    lines,
    unknownItem,
    foreignCart: random.chance(0.04),
    foreignOrders: random.chance(0.06),
    handOrder: random.chance(0.04),
    quoteOnly: random.chance(0.04),
    succeeded: false,
  };
};
