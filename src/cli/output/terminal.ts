import { styleText } from 'node:util';
import { wrapWords } from './show-text.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** The output of a command. */
export interface Terminal {
  /** Standard output gets one JSON value and nothing else. */
  json: boolean;
  /** Both outputs are terminals: progress bars may be drawn, questions may be asked. */
  live: boolean;
  /** Characters in a line. */
  columns: number;
  /** Lines that are visible at once; undefined outside a terminal. */
  rows: number | undefined;
  /** Writes a line for people to standard output; nothing with --json. */
  say(line?: string): void;
  /** Writes the result as JSON to standard output; nothing without --json. */
  answer(value: unknown): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  /** Colours text if the terminal shows colours and NO_COLOR is not set. */
  paint(colour: Colour, text: string): string;
  /** Breaks text between words at the width of a terminal; outside a terminal it stays one line, for grep. */
  wrap(text: string, indent?: number): string;
}

/** Wide enough that grep finds most rows in one line; other programs should use --json. */
const pipeColumns = 160;

const usualColumns = 80;

interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/**
 * @param options.colour false: never colours; otherwise as the terminal, NO_COLOR and TERM=dumb allow
 */
export const createTerminal = (
  options: { json: boolean; colour: boolean },
  streams: Streams = { out: process.stdout, err: process.stderr },
): Terminal => {
  const { out, err } = streams;
  const { json } = options;
  const isTty = out.isTTY === true;
  // A terminal of a container or a recorder may not know its size.
  const width = out.columns || usualColumns;
  const coloured = options.colour && isTty && out.hasColors();
  return {
    json,
    live: isTty && err.isTTY === true && !json,
    columns: isTty ? width : pipeColumns,
    rows: isTty ? out.rows : undefined,
    say: (line = '') => {
      if (!json) out.write(`${line}\n`);
    },
    answer: (value) => {
      if (json) out.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    note: (line) => {
      err.write(`${line}\n`);
    },
    paint: (colour, text) => (coloured ? styleText(colour, text) : text),
    wrap: (text, indent = 2) => (isTty ? wrapWords(text, width, indent) : text),
  };
};

/** Prints text, wrapped between words. */
export const sayWrapped = (terminal: Terminal, text: string, indent?: number): void =>
  terminal.say(terminal.wrap(text, indent));
