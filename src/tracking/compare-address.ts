import type { PoAnswer } from '../dealer-api/answers.ts';
import type { TakenPurchaseOrder } from '../placing/types.ts';

type Options = TakenPurchaseOrder['options'];

interface Part {
  /** As the service names it (spec 2.6). */
  name: string;
  shown: (answer: PoAnswer) => string | undefined;
  /** What it may show for these options: each alone is right. */
  asked: (options: Options) => string[];
  /** The greatest length that it stores (spec 2.1). */
  limit: number;
  /** It may add to what was asked: the last four digits of a zip code. */
  mayAdd?: boolean;
}

const text = (value: string | boolean | undefined): string[] =>
  typeof value === 'string' && value.trim() !== '' ? [value] : [];

const parts: readonly Part[] = [
  { name: 'ship_name', shown: (answer) => answer.shipName, asked: (o) => text(o.ship_name), limit: 30 },
  {
    name: 'ship_address',
    shown: (answer) => answer.shipAddress,
    // Three lines that were asked for are one when they are shown; some services show the first one only.
    asked: ({ ship_address1, ship_address2, ship_address3 }) => {
      const lines = [ship_address1, ship_address2, ship_address3].flatMap(text);
      return lines.map((_, at) => lines.slice(0, at + 1).join(' '));
    },
    limit: 30,
  },
  { name: 'ship_city', shown: (answer) => answer.shipCity, asked: (o) => text(o.ship_city), limit: 17 },
  { name: 'ship_state', shown: (answer) => answer.shipState, asked: (o) => text(o.ship_state), limit: 2 },
  {
    name: 'ship_zip',
    shown: (answer) => answer.shipZip,
    asked: (o) => text(o.ship_zip),
    limit: 15,
    mayAdd: true,
  },
];

/** Letters and digits: a service may change case, accents, blanks and punctuation. */
const bare = (shown: string): string =>
  shown
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const isSame = (asked: string, shown: string, { limit, mayAdd = false }: Part): boolean => {
  const [one, other] = [bare(asked), bare(shown)];
  // Cut to what the service stores; a blank at the cut may be gone.
  const isCut = shown.trim().length >= limit - 1 && one.startsWith(other);
  return one === other || isCut || (mayAdd && other.startsWith(one));
};

/**
 * The parts of the drop-ship address that the service shows otherwise than the PO asked for, each as `ship_city is DALLAS and not Austin`.
 * What the PO did not ask for, and what is not shown, is no difference. Pure.
 */
export const differingAddress = (options: Options, answer: PoAnswer): string[] =>
  parts.flatMap((part) => {
    const { name, shown, asked } = part;
    const seen = shown(answer)?.trim();
    const wanted = asked(options);
    if (!seen || wanted.length === 0 || wanted.some((one) => isSame(one, seen, part))) return [];
    return [`${name} is ${seen} and not ${wanted.at(-1)}`];
  });
