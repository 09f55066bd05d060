// The soak as a program: `npm run soak -- --minutes 20`.
import { parseArgs } from 'node:util';
import { createTerminal } from '../../src/cli/output/terminal.ts';
import { messageOf } from '../../src/errors.ts';
import { runSoak } from './run-soak.ts';
import { sampleLine, showSoak } from './show-soak.ts';

const help = `Usage: npm run soak -- [options]

Runs \`cartwright up\` with a sandbox service and built-in databases for some minutes, while files
come, orders move, schedules run every few seconds and the service fails. Measures what the worker
uses every five seconds, and judges that nothing grows and that every PO was ordered exactly once.

Options:
  --minutes <n>  how long files come (default: 20; growth is judged from 10 minutes on)
  --seed <n>     which files and faults come (default: 1)
  --help         show this help

Exit codes: 0 everything was kept, 1 something was not, 2 wrong options, 130 interrupted. Ctrl-C
ends the run early and prints what it measured; a second one quits immediately.
`;

const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence} Run with --help to see available options.\n`);
  process.exit(2);
};
const readOptions = (): { minutes: number; seed: number } => {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '20' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
    if (!(minutes > 0 && minutes <= 100_000))
      return refuse(`--minutes must be a number above 0 (got ${values.minutes}).`);
    if (!Number.isInteger(seed)) return refuse(`--seed must be a whole number (got ${values.seed}).`);
    return { minutes, seed };
  } catch (error) {
    return refuse(`${messageOf(error)}.`);
  }
};

const options = readOptions();
const terminal = createTerminal({ json: false, colour: true });
const stop = new AbortController();
const lineEveryMs = terminal.live ? 0 : 60_000;
let nextLineAt = 0;

/** On a terminal, the line replaces the previous one. */
const progress = (line: string): void => {
  if (terminal.live) process.stderr.write(`\r\x1b[K${line.slice(0, terminal.columns - 1)}`);
  else process.stdout.write(`${line}\n`);
};
const clearProgress = (): void => void (terminal.live && process.stderr.write('\r\x1b[K'));

const interrupt = (): void => {
  if (stop.signal.aborted) process.exit(130);
  stop.abort();
  progress('Stopping: waiting for POs that are being placed. Press Ctrl-C again to quit immediately.');
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

progress('Starting databases, service and worker.');
const soak = await runSoak({
  ...options,
  signal: stop.signal,
  onSample: (sample) => {
    if (stop.signal.aborted || sample.atMs < nextLineAt) return;
    nextLineAt += lineEveryMs;
    progress(sampleLine(sample));
  },
  onDrain: (open) => {
    if (!stop.signal.aborted) progress(`No more files; waiting for ${open} POs that are being placed.`);
  },
});
clearProgress();
showSoak(terminal, soak);
const failed = soak.judgements.some(({ kept }) => kept === false);
process.exitCode = failed ? 1 : soak.interrupted ? 130 : 0;
