import type { Decision } from '../types.ts';
import { type Layout, madeByProgram } from './layout.ts';

const day = (at: Date): string => at.toISOString().slice(0, 10);

/** Whether a person agreed to it; then it takes precedence over the account's settings. Pure. */
export const isOfPerson = ({ via }: Pick<Layout, 'via'>): boolean =>
  !(madeByProgram as readonly string[]).includes(via);

/** Who agreed to a layout and when, as part of a sentence. Pure. */
export const agreedBy = ({ via, who, confirmedAt }: Pick<Layout, 'via' | 'who' | 'confirmedAt'>): string => {
  switch (via) {
    case 'configuration':
      return `set by intake of the account, first used on ${day(confirmedAt)}`;
    case 'standard names':
      return `read by its standard names since ${day(confirmedAt)}`;
    case 'earlier import':
      return `taken over from ${who}, which was ordered before there were layouts`;
    default:
      return `agreed by ${who} on ${day(confirmedAt)}`;
  }
};

/** Why a file is refused whose header was marked as not an order. Pure. */
export const isNoOrder = ({ who, confirmedAt, name }: Layout): string =>
  `Files with this header are no orders: ${who} said so on ${day(confirmedAt)} (layout "${name}"). If that is wrong, change the layout in the console, or remove it with \`cartwright layouts remove\`, and send the file again.`;

/** The decision that shows the layout of an import. Pure. */
export const decisionOf = (layout: Layout): Decision => ({
  what: 'layout',
  decided: `${layout.name} (version ${layout.version})`,
  why: `the file has its header; ${agreedBy(layout)}`,
  override: undefined,
});

/** Why removing a layout would have no effect, because something else determines how its files are read; undefined: it can be removed. Pure. */
export const whyKept = ({ via, name }: Pick<Layout, 'via' | 'name'>): string | undefined => {
  switch (via) {
    case 'configuration':
      return `The layout "${name}" only shows what intake of its account says. To read its files in another way, change these settings.`;
    case 'standard names':
      return `The layout "${name}" only shows that the columns of its files have standard names. There is nothing to remove.`;
    default:
      return undefined;
  }
};
