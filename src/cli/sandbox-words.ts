import type { Terminal } from './output/terminal.ts';

const command = /`cartwright (?!demo\b|init\b|service\b|config\b|api\b)([^`]*)`/g;

// A command that fills a whole line.
const line = /^( *)cartwright (?!demo\b|init\b|service\b|config\b|api\b)([a-z].*)$/gm;

/** Adds --sandbox to the commands in a text. Pure and idempotent. */
export const forSandbox = (text: string): string =>
  text
    .replace(command, (found, rest: string) =>
      rest.includes('--sandbox') ? found : `\`cartwright ${rest} --sandbox\``,
    )
    .replace(line, (found, space: string, rest: string) =>
      rest.includes('--sandbox') ? found : `${space}cartwright ${rest} --sandbox`,
    );

const inside = (value: unknown): unknown => {
  if (typeof value === 'string') return forSandbox(value);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inside(inner)]));
};

/** A terminal that adds --sandbox to every command in its texts; without it, they would refer to real orders. */
export const inSandboxWords = (terminal: Terminal): Terminal => ({
  ...terminal,
  answer: (value) => terminal.answer(inside(value)),
  say: (line) => terminal.say(line === undefined ? line : forSandbox(line)),
  note: (line) => terminal.note(forSandbox(line)),
  wrap: (text, indent) => terminal.wrap(forSandbox(text), indent),
});
