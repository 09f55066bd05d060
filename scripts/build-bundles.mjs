// Bundles many small files into few: the program into dist/program, the console's pages into dist/console, and their server-side rendering
// into dist/console-view. Skips a bundle that was built from the same sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const pages = 'src/console/web';

const bundles = [
  {
    folder: 'dist/program',
    config: 'scripts/program.config.mjs',
    modes: ['production'],
    sources: () => ['jobs', 'src'].flatMap(filesBelow).filter((file) => !file.startsWith(pages)),
  },
  {
    folder: 'dist/console',
    config: 'scripts/web.config.mjs',
    modes: ['production', 'server'],
    sources: () => filesBelow(pages),
  },
];

export const buildBundles = async () => {
  for (const { folder, config, modes, sources } of bundles) {
    const hash = createHash('sha256');
    // Also the build configuration and the versions of all packages.
    for (const path of ['package-lock.json', 'scripts/build-bundles.mjs', config, ...sources()])
      hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
    const digest = hash.digest('hex');
    const built = `${folder}.sha256`;
    if (existsSync(folder) && existsSync(built) && readFileSync(built, 'utf8') === digest) continue;
    // Tests build under NODE_ENV=test, which would give the pages the development build of React, half as large again.
    process.env.NODE_ENV = 'production';
    // Loaded late: it takes longer than finding out that nothing changed.
    const { build } = await import('vite');
    for (const mode of modes) await build({ configFile: config, logLevel: 'warn', mode });
    writeFileSync(built, digest);
  }
};
