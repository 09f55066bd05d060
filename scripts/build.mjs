// Compiles the project into dist/ and adds what the compiler does not copy: `npm run build`.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', 'false'], {
    stdio: 'inherit',
  });
} catch {
  // The compiler has already printed its errors.
  process.exit(1);
}

for (const folder of ['src/ledger/migrations', 'src/service/migrations']) {
  // A migration that was renamed must not run under both names.
  rmSync(`dist/${folder}`, { recursive: true, force: true });
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
chmodSync('dist/src/cli/main.js', 0o755);
