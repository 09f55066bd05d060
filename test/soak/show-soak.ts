import { drawTable } from '../../src/cli/output/table.ts';
import type { Terminal } from '../../src/cli/output/terminal.ts';
import type { Judgement, Sample } from './judge-soak.ts';
import type { Soak } from './run-soak.ts';

const rowsShown = 20;

const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
};
const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
const whole = (value: number | undefined): string => value?.toLocaleString('en-US') ?? '–';
const each = (value: number, pos: number): string => (pos === 0 ? '–' : (value / pos).toFixed(1));

/** One sample as a line, for a pipe or the progress on a terminal. */
export const sampleLine = (sample: Sample): string =>
  `${clock(sample.atMs)}  ${whole(sample.ordered)} POs ordered, ${megabytes(sample.residentBytes)} MB resident, ${megabytes(sample.heapBytes)} MB heap, ${whole(sample.connections)} connections`;

/** A limited number of samples, evenly spaced, including the last one. */
const someOf = (samples: readonly Sample[]): Sample[] => {
  const step = Math.max(1, Math.ceil(samples.length / rowsShown));
  return samples.filter((_, at) => (samples.length - 1 - at) % step === 0);
};

const verdictOf = (terminal: Terminal, { kept }: Judgement): string => {
  if (kept === undefined) return terminal.paint('dim', '–       ');
  return kept ? terminal.paint('green', 'kept    ') : terminal.paint('red', 'NOT KEPT');
};

/** The measurements as a table of 80 columns, the events, and the judgements. */
export const showSoak = (
  terminal: Terminal,
  { samples, facts, judgements, warmUpMs, interrupted }: Soak,
): void => {
  terminal.say(
    drawTable(
      terminal,
      [
        { head: 'Time' },
        { head: 'RSS', align: 'right' },
        { head: 'Heap', align: 'right' },
        { head: 'Files', align: 'right' },
        { head: 'Sockets', align: 'right' },
        { head: 'Handles', align: 'right' },
        { head: 'Conns', align: 'right' },
        { head: 'POs', align: 'right' },
        { head: 'kB/PO', align: 'right' },
        { head: 'Rows/PO', align: 'right' },
        { head: 'Queue', align: 'right' },
      ],
      someOf(samples).map((sample) => [
        clock(sample.atMs),
        megabytes(sample.residentBytes),
        megabytes(sample.heapBytes),
        whole(sample.files),
        whole(sample.sockets),
        whole(sample.handles),
        whole(sample.connections),
        whole(sample.ordered),
        each(sample.ledgerBytes / 1024, sample.ordered),
        each(sample.ledgerRows, sample.ordered),
        whole(sample.queueRows),
      ]),
    ),
  );
  terminal.say(
    terminal.wrap(
      'RSS and Heap: memory of the worker, in MB. Conns: its connections to Postgres. kB/PO and Rows/PO: the ledger. Queue: rows of the job queue.',
      0,
    ),
  );
  terminal.say();
  for (const fact of facts) terminal.say(terminal.wrap(fact, 0));
  terminal.say(
    terminal.wrap(
      `Judged after a warm-up of ${clock(warmUpMs)}: the last third of the samples against the first.${interrupted ? ' The run was interrupted.' : ''}`,
      0,
    ),
  );
  terminal.say();
  for (const judgement of judgements)
    terminal.say(terminal.wrap(`${verdictOf(terminal, judgement)} ${judgement.text}`, 9));
};
