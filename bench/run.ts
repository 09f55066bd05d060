// Runs the benchmarks that are named (all of them without a name), prints their figures and, when all ran,
// writes RESULTS.md beside them.
import { readdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, extname } from 'node:path';
import { type Figure, figureRows } from './support/figures.ts';

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
const sections: string[] = [];
for (const name of asked.length > 0 ? asked : all) {
  const bench = (await import(`./${name}${ending}`)) as { run(): Promise<Figure[]> };
  say(`\n## ${name}\n\n| figure | value | target | |\n|---|---|---|---|`);
  const rows = figureRows(await bench.run());
  for (const row of rows) say(row);
  sections.push(`## ${name}\n\n| figure | value | target | |\n|---|---|---|---|\n${rows.join('\n')}\n`);
}
if (asked.length === 0) {
  const head = `# Measured figures\n\nWritten by \`npm run bench\` on Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}). Ratios were measured in one run; absolute times only describe that machine.\n`;
  // Compiled, this file stands in dist/bench; the results belong beside the source.
  const target = own.pathname.includes('/dist/')
    ? new URL('../../bench/RESULTS.md', own)
    : new URL('RESULTS.md', own);
  await writeFile(target, `${head}\n${sections.join('\n')}`);
  say(`\nWritten to ${target.pathname}`);
}
