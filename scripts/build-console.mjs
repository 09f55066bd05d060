// Builds the console's pages into dist/console, and what the server draws of them into dist/console-view, unless what is there was built from the same sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const built = 'dist/console.sha256';

/** Everything that the pages are built from: their sources, the build and the versions of all packages. */
const sources = () => [
  'package-lock.json',
  ...['build-console.mjs', 'web.config.mjs'].map((name) => join('scripts', name)),
  ...readdirSync('src/console/web', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(),
];

export const buildConsole = async () => {
  const hash = createHash('sha256');
  for (const path of sources()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  const digest = hash.digest('hex');
  if (existsSync('dist/console/index.html') && existsSync(built) && readFileSync(built, 'utf8') === digest)
    return;
  // Tests build under NODE_ENV=test, which would give the pages the development build of React, half as large again.
  process.env.NODE_ENV = 'production';
  // Loading Vite takes longer than finding out that nothing changed.
  const { build } = await import('vite');
  for (const mode of ['production', 'server']) {
    await build({ configFile: 'scripts/web.config.mjs', logLevel: 'warn', mode });
  }
  writeFileSync(built, digest);
};
