import type { Need } from '../needs-person.ts';
import { count, shorten } from './show-text.ts';
import type { Terminal } from './terminal.ts';

/** A list of at most `limit` entries, and the number of the others. */
export const atMost = (lines: readonly string[], limit: number, more: (n: number) => string): string[] =>
  lines.length <= limit ? [...lines] : [...lines.slice(0, limit), more(lines.length - limit)];

/** Further needs are only counted. */
const mostNeeds = 10;

/** `1 thing needs you`, `12 things need you`. */
const sayHowMany = ({ length }: readonly Need[]): string =>
  `${count(length, 'thing')} ${length === 1 ? 'needs' : 'need'} you`;

// First problems that stop all orders, then those that a dealer waits for; unread files come last.
const urgent: readonly Need['code'][] = [
  ...(['configuration_broken', 'no_worker', 'account_trouble', 'account_paused', 'alarm', 'held'] as const),
  ...(['file_waits', 'failed', 'rejected', 'refused'] as const),
];
const rankOf = ({ code }: Need): number =>
  code === 'file_trouble' ? urgent.length + 1 : urgent.includes(code) ? urgent.indexOf(code) : urgent.length;

/** Sorts needs, most urgent first. Pure. */
export const byUrgency = (needs: readonly Need[]): Need[] =>
  [...needs].sort((one, other) => rankOf(one) - rankOf(other));

/** The first needs, one line each, for the end of a text whose top has scrolled off the screen. */
export const drawFirstNeeds = (terminal: Terminal, needs: readonly Need[]): string => {
  const lines = needs.slice(0, 5).map(({ message }) => shorten(`  ${message}`, terminal.columns));
  return [
    terminal.paint('red', `\n${sayHowMany(needs)}, the most urgent of them (in full at the top):`),
    ...lines,
  ].join('\n');
};

/** The list of needs, in full sentences. */
export const drawNeeds = (terminal: Terminal, needs: readonly Need[]): string[] => {
  if (needs.length === 0) return [terminal.paint('green', 'Nothing needs you.')];
  const lines = needs.map(({ message }) => terminal.wrap(`  ${message}`, 4));
  return [
    terminal.paint('red', `${sayHowMany(needs)}:`),
    ...atMost(lines, mostNeeds, (n) => `  and ${n.toLocaleString('en-US')} more; --json shows all of them`),
  ];
};
