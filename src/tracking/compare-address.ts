import type { PoAnswer } from '../dealer-api/answers.ts';
import type { TakenPurchaseOrder } from '../placing/types.ts';

type Options = TakenPurchaseOrder['options'];

interface Part {
  /** The service's name of the field (spec 2.6). */
  name: string;
  shown: (answer: PoAnswer) => string | undefined;
  /** The values that it may show for these options; any of them is correct. */
  asked: (options: Options) => string[];
  /** The greatest length that it stores (spec 2.1). */
  limit: number;
  /** The service may append something: the last four digits of a zip code. */
  mayAdd?: boolean;
}

const text = (value: string | boolean | undefined): string[] =>
  typeof value === 'string' && value.trim() !== '' ? [value] : [];

const parts: readonly Part[] = [
  { name: 'ship_name', shown: (answer) => answer.shipName, asked: (o) => text(o.ship_name), limit: 30 },
  {
    name: 'ship_address',
    shown: (answer) => answer.shipAddress,
    // The service joins the three lines into one; some services show only the first one.
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
 * The differences between the drop-ship address that the service shows and the one asked for, each as `ship_city is DALLAS and not Austin`.
 * Ignores parts that the PO did not ask for or the service does not show. Pure.
 */
export const differingAddress = (options: Options, answer: PoAnswer): string[] =>
  parts.flatMap((part) => {
    const { name, shown, asked } = part;
    const seen = shown(answer)?.trim();
    const wanted = asked(options);
    if (!seen || wanted.length === 0 || wanted.some((one) => isSame(one, seen, part))) return [];
    return [`${name} is ${seen} and not ${wanted.at(-1)}`];
  });
