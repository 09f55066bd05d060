import type { Quantities } from '../support/judge.ts';
import { fileOf, somePos } from '../support/run-system.ts';
import { cutFile, type GrowingFile } from './growing-file.ts';
import type { ChaosPlan } from './plan.ts';
import { faulty, hanging, locked, steady, troubled } from './scene.ts';

/** One action of a dealer. */
export type DealerEvent =
  | { kind: 'file' | 'quote'; dealer: string; name: string | Buffer; content: string }
  | { kind: 'upload'; dealer: string; file: GrowingFile };

export interface PlannedFiles {
  /** The POs of each account's files, except files that grew after they had been picked up. */
  pos: Map<string, Map<string, Quantities>>;
  /** Files that look complete and grow afterwards. */
  grown: { dealer: string; file: GrowingFile }[];
  /** In the order in which they happen. */
  events: DealerEvent[];
  /** The minimum number of files that the ledger must have read at the end. */
  imports: number;
}

/** One PO in this many is quoted: a quote costs as many calls as an order. */
const quotedOf = 4;

/** The bytes of a name written by an FTP server without UTF-8. */
const latin1 = (name: string): Buffer => Buffer.from(name, 'latin1');

/**
 * The dealers' files: each arrives twice, under two names; of every four files one is quoted before its import, one after,
 * one before and after, and one never. In between: uploads that pause, POs that are only quoted, and the files of the other
 * accounts.
 */
export const planFiles = (plan: ChaosPlan, seed: number): PlannedFiles => {
  const pos = new Map<string, Map<string, Quantities>>(
    [...faulty, steady, troubled, locked, ...hanging].map((dealer) => [dealer, new Map()]),
  );
  const ask = (dealer: string, asked: ReadonlyMap<string, Quantities>): string => {
    for (const [po, quantities] of asked) pos.get(dealer)!.set(po, quantities);
    return fileOf(asked);
  };
  const main: DealerEvent[] = Array.from({ length: plan.files }, (_, at): DealerEvent[] => {
    const dealer = faulty[at % faulty.length]!;
    const all = somePos(`${dealer} ${at + 1}/`, plan.purchaseOrders / plan.files, seed + at);
    const content = ask(dealer, all);
    const quoted = fileOf(new Map([...all].filter((_, nth) => nth % quotedOf === 0)));
    const name = `orders-${at + 1}`;
    const file: DealerEvent = { kind: 'file', dealer, name: `${name}.csv`, content };
    const again: DealerEvent = { kind: 'file', dealer, name: `${name} again.csv`, content };
    const quote = (which: string): DealerEvent => ({
      kind: 'quote',
      dealer,
      name: `${name} quote ${which}.csv`,
      content: quoted,
    });
    // The dealers also take turns, so that each of them gets every order of events.
    switch (Math.floor(at / faulty.length + at) % 4) {
      case 0:
        return [quote('before'), file, again];
      case 1:
        return [file, quote('after'), again];
      case 2:
        return [quote('before'), file, quote('after'), again];
      default:
        return [file, again];
    }
  }).flat();

  const grown: PlannedFiles['grown'] = [];
  const others: DealerEvent[] = [];
  for (let at = 0; at < plan.uploads; at += 1) {
    const dealer = faulty[at % faulty.length]!;
    const whole = somePos(`${dealer} upload ${at}/`, plan.uploadPos, seed + at);
    ask(dealer, whole);
    others.push({ kind: 'upload', dealer, file: cutFile(`upload-${at}.csv`, whole, 'cell') });
    const growing = cutFile(
      `grown-${at}.csv`,
      somePos(`${dealer} grown ${at}/`, plan.uploadPos, seed + at),
      'line',
    );
    grown.push({ dealer, file: growing });
    others.push({ kind: 'upload', dealer, file: growing });
  }
  others.push(
    ...hanging.map(
      (dealer, at): DealerEvent => ({
        kind: 'file',
        dealer,
        name: 'orders.csv',
        content: ask(dealer, somePos(`h${at}/`, plan.hanging, seed)),
      }),
    ),
    {
      kind: 'quote',
      dealer: faulty[0],
      name: 'only-quoted.csv',
      content: fileOf(somePos('only quoted/', plan.onlyQuoted, seed)),
    },
    { kind: 'file', dealer: locked, name: 'orders.csv', content: ask(locked, somePos('l/', plan.locked)) },
    {
      kind: 'file',
      dealer: troubled,
      name: latin1('Bestellung_München.csv'),
      content: ask(troubled, somePos('t/', plan.troubled, seed)),
    },
    {
      kind: 'file',
      dealer: steady,
      name: 'orders.csv',
      content: ask(steady, somePos('s/', plan.steady, seed)),
    },
  );
  const every = Math.max(1, Math.floor(main.length / others.length));
  const events = main.flatMap((event, at) => {
    const other = at % every === 0 ? others.shift() : undefined;
    return other ? [event, other] : [event];
  });
  events.push(...others);
  return { pos, grown, events, imports: events.length };
};
