import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { type RunningCli, runCli, startAtTerminal, startCli } from './run-cli.ts';

/** For all tests of a file: a new folder and database, and commands that run in that folder. */
export const useCliFolder = () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
    // As root, Postgres runs as another user, who needs to reach its data folder.
    await chmod(folder, 0o711);
    database = await createTestDatabase();
  });
  const started: RunningCli[] = [];
  afterAll(async () => {
    // Processes left by a failed test would slow down all later ones.
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const optionsOf = (env: Record<string, string>) => ({
    cwd: folder,
    env: { DATABASE_URL: database.url, ...env },
  });
  const remembered = (running: RunningCli): RunningCli => {
    started.push(running);
    return running;
  };
  return {
    get folder() {
      return folder;
    },
    get databaseUrl() {
      return database.url;
    },
    /** Writes a file into the folder; returns its name. */
    write: async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text);
      return name;
    },
    /** Runs a command to its end. */
    run: (...args: string[]) => runCli(args, optionsOf({})),
    start: (args: readonly string[], env: Record<string, string> = {}) =>
      remembered(startCli(args, optionsOf(env))),
    startAtTerminal: (...args: string[]) => remembered(startAtTerminal(args, optionsOf({}))),
  };
};
