// Runs the benchmarks that are named (all of them without a name), prints their figures and writes them into
// RESULTS.md beside them, each in the place of its last ones.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, extname } from 'node:path';
import { type Figure, figureRows } from './support/figures.ts';
import { stopBenchPostgres } from './support/postgres.ts';

const ending = extname(import.meta.url);
const own = new URL('./', import.meta.url);
const all = (await readdir(own))
  .filter((file) => file.endsWith(ending) && !file.startsWith('run.') && !file.endsWith('.d.ts'))
  .map((file) => basename(file, ending))
  .sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there is: ${all.join(', ')}.\n`);
  process.exit(2);
}

const say = (line: string) => process.stdout.write(`${line}\n`);
// Compiled, this file stands in dist/bench; the results belong beside the source.
const results = own.pathname.includes('/dist/')
  ? new URL('../../bench/RESULTS.md', own)
  : new URL('RESULTS.md', own);
const head = `# Measured figures\n\nWritten by \`npm run bench\`. Ratios were measured in one run; absolute times only describe the machine.\n`;

/** The sections of earlier runs, by name. */
const readSections = async (): Promise<Map<string, string>> => {
  const text = await readFile(results, 'utf8').catch(() => '');
  const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith('## '));
  return new Map(sections.map((section) => [/^## (\S+)/.exec(section)![1]!, section.trim()]));
};

process.once('SIGINT', () => {
  say('\nstopping what was started');
  void stopBenchPostgres().finally(() => process.exit(130));
});

for (const name of asked.length > 0 ? asked : all) {
  const bench = (await import(`./${name}${ending}`)) as { run(): Promise<Figure[]> };
  say(`\n## ${name}\n\n| figure | value | target | |\n|---|---|---|---|`);
  const rows = figureRows(await bench.run());
  for (const row of rows) say(row);
  const on = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}`;
  const section = `## ${name}\n\n${on}\n\n| figure | value | target | |\n|---|---|---|---|\n${rows.join('\n')}`;
  const sections = (await readSections()).set(name, section);
  const kept = all.flatMap((each) => sections.get(each) ?? []);
  // After each of them: one that fails takes no other's figures along.
  await writeFile(results, `${[head.trim(), ...kept].join('\n\n')}\n`);
}
say(`\nWritten to ${results.pathname}`);
