import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { builtProgram } from './built-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The test run's own Postgres; use `createTestDatabase` for a database in it. */
    postgresUrl: string;
  }
}

/**
 * Builds changed code, because tests start the built command line, and starts one Postgres for the whole run, which stops
 * with the run, even if the run is killed.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  // Prints type errors but still emits code; only `npm run types` fails on them.
  spawnSync(process.execPath, [build], { stdio: 'inherit' });
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-test-'));
  // As root the server runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const keeper = spawn(process.execPath, [builtProgram('test/support/keep-postgres.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(keeper, 'exit');
  const url = await Promise.race([
    once(createInterface(keeper.stdout), 'line').then(([line]) => line as string),
    exited.then(([code]) => {
      throw new Error(`the tests' Postgres did not start (exit code ${code}), see above`);
    }),
  ]);
  project.provide('postgresUrl', url);
  return async () => {
    keeper.stdin.end();
    await exited;
  };
};
