// Compiles the project into dist/ and adds the files that the compiler does not copy: `npm run build`.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildBundles } from './build-bundles.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

for (const folder of ['src/ledger/migrations', 'src/service/migrations']) {
  // A renamed migration must not run under both names.
  rmSync(`dist/${folder}`, { recursive: true, force: true });
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
try {
  const compile = ['node_modules/typescript/bin/tsc', '--noEmit', 'false'];
  // The compiler's build info is inside dist/, so that both are removed together.
  const onlyChanges = ['--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
  execFileSync(process.execPath, [...compile, ...onlyChanges], { stdio: 'inherit' });
} catch {
  // The compiler has already printed its errors.
  process.exit(1);
}
await buildBundles();
// Global installations of an earlier version link to the second one.
for (const program of ['program/cartwright.js', 'src/cli/main.js']) chmodSync(`dist/${program}`, 0o755);

// Schemas for editors and programs, for people who have only the package.
const write = (name, document) => writeFileSync(`dist/${name}`, `${JSON.stringify(document, null, 2)}\n`);
const { configJsonSchema } = await import('../dist/src/config/json-schema.js');
const { apiDocument } = await import('../dist/src/cli/api-document.js');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
write('cartwright.schema.json', configJsonSchema());
write('openapi.json', await apiDocument(version));
