// Runs the named benchmarks (all of them without a name), prints their figures and replaces their earlier figures in
// RESULTS.md. `fairness:hanging` runs one part of a benchmark, and only prints its figures. `--compare` also prints each figure beside
// the recorded one from the same kind of machine, worst first.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, extname } from 'node:path';
import { comparedRows, compareFigures, machineOf, readRecorded } from './support/compare.ts';
import { type Figure, figureRows } from './support/figures.ts';
import { stopBenchPostgres } from './support/postgres.ts';

const ending = extname(import.meta.url);
const own = new URL('./', import.meta.url);
const all = (await readdir(own))
  .filter((file) => file.endsWith(ending) && !file.startsWith('run.') && !file.endsWith('.d.ts'))
  .map((file) => basename(file, ending))
  .sort();
const compares = process.argv.includes('--compare');
const asked = process.argv
  .slice(2)
  .filter((argument) => argument !== '--compare')
  .map((argument) => argument.split(':') as [string, string?]);
const unknown = asked.flatMap(([name]) => (all.includes(name) ? [] : name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}. The benchmarks are: ${all.join(', ')}.\n`,
  );
  process.exit(2);
}

const print = (line: string) => process.stdout.write(`${line}\n`);
// The compiled file is in dist/bench, but the results belong next to the source.
const results = own.pathname.includes('/dist/')
  ? new URL('../../bench/RESULTS.md', own)
  : new URL('RESULTS.md', own);
const head = `# Measured figures

Written by \`npm run bench\`. The two sides of a ratio were measured in the same run; absolute times only describe the machine.
“kept” and “missed” compare a figure with its target. *Wall* is elapsed time, *resident* is memory. *Ideal* is the number of calls
times the time of one call, divided by the calls in flight. *Skeleton* is the same calls and commits without the worker. *A constant*
is a server that always sends the same response. *Alone* is the library without Cartwright.
`;

/** The sections of earlier runs, by name. */
const readSections = async (): Promise<Map<string, string>> => {
  const text = await readFile(results, 'utf8').catch(() => '');
  const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith('## '));
  return new Map(sections.map((section) => [/^## (\S+)/.exec(section)![1]!, section.trim()]));
};

process.once('SIGINT', () => {
  print('\nStopping the servers of the benchmarks.');
  void stopBenchPostgres().finally(() => process.exit(130));
});

for (const [name, only] of asked.length > 0 ? asked : all.map((each) => [each] as [string, string?])) {
  const bench = (await import(`./${name}${ending}`)) as {
    run(options: { only?: string }): Promise<Figure[]>;
  };
  print(`\n## ${name}\n\n| figure | value | target | |\n|---|---|---|---|`);
  const figures = await bench.run(only === undefined ? {} : { only });
  const rows = figureRows(figures);
  for (const row of rows) print(row);
  const on = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}`;
  const section = `## ${name}\n\n${on}\n\n| figure | value | target | |\n|---|---|---|---|\n${rows.join('\n')}`;
  const sections = await readSections();
  const recorded = readRecorded(sections.get(name) ?? '');
  if (compares) {
    print('');
    if (recorded.machine === machineOf(on)) {
      print('| figure | recorded | now | |\n|---|---|---|---|');
      for (const row of comparedRows(compareFigures(figures, recorded))) print(row);
    } else print('RESULTS.md has no figures of this kind of machine to compare with.');
  }
  if (only !== undefined) continue;
  sections.set(name, section);
  // Sections with other names were written by hand, such as the figures before a change.
  const byHand = [...sections.keys()].filter((each) => !all.includes(each));
  const kept = [...all, ...byHand].flatMap((each) => sections.get(each) ?? []);
  // Write after each benchmark, so that a failing one does not lose the figures of the others.
  await writeFile(results, `${[head.trim(), ...kept].join('\n\n')}\n`);
}
const isWritten = asked.length === 0 || asked.some(([, only]) => only === undefined);
print(isWritten ? `\nWritten to ${results.pathname}` : '\nFigures of a part are not written to RESULTS.md.');
