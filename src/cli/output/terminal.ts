import { styleText } from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** Where a command's answers go. */
export interface Terminal {
  /** Answers are one JSON value on standard output, and nothing else is there. */
  json: boolean;
  /** A person watches: progress may be drawn, questions may be asked. */
  live: boolean;
  /** Characters in a line. */
  columns: number;
  /** A line of the answer for a person; nothing under --json. */
  say(line?: string): void;
  /** The answer for a program; nothing without --json. */
  answer(value: unknown): void;
  /** A word beside the answer, on standard error: kept out of pipes. */
  note(line: string): void;
  /** Coloured on a terminal that shows colours and without NO_COLOR; otherwise as it is. */
  paint(colour: Colour, text: string): string;
}

/** Wide enough that programs such as grep find most rows in one line; programs that want more use --json. */
const pipeColumns = 160;

interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/**
 * @param options.colour false: never colours. Otherwise the terminal says whether it has some; it knows
 *   NO_COLOR and TERM=dumb
 */
export const createTerminal = (
  options: { json: boolean; colour: boolean },
  streams: Streams = { out: process.stdout, err: process.stderr },
): Terminal => {
  const { out, err } = streams;
  const { json } = options;
  const isTty = out.isTTY === true;
  const coloured = options.colour && isTty && out.hasColors();
  return {
    json,
    live: isTty && err.isTTY === true && !json,
    columns: isTty ? out.columns : pipeColumns,
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
  };
};
