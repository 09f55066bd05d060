import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { builtProgram } from '../support/built-program.ts';

/** A folder that the user of a server may enter, also when the test runs as root. */
export const makeFolder = async (prefix = 'cartwright-embedded-'): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
};

export interface OwnerProcess {
  /** The first line of its output: the address, or the refusal. */
  firstLine: string;
  /** Shuts it down cleanly; returns its exit code. */
  leave(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

export const startOwner = async (
  dataFolder: string,
  as?: { uid: number; gid: number },
): Promise<OwnerProcess> => {
  const child = spawn(process.execPath, [builtProgram('test/embedded/owner.ts'), dataFolder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...as,
  });
  const exited = once(child, 'exit');
  const firstLine = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => line as string),
    exited.then(([code]) => `exit code ${code}`),
  ]);
  return {
    firstLine,
    async leave() {
      child.stdin.end();
      const [code] = await exited;
      return code as number | null;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** Runs one statement on its own connection. */
export const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
};

/** The process number in the server's own file; undefined when no server runs and none was killed. */
export const postmasterOf = async (dataFolder: string): Promise<number | undefined> => {
  const file = path.join(dataFolder, 'postgres', 'cluster', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
};

/** Fails if a server still runs on the folder; removes the folder either way. */
export const removeFolder = async (folder: string, dataFolder = folder): Promise<void> => {
  const pid = await postmasterOf(dataFolder);
  await rm(folder, { recursive: true, force: true });
  if (pid !== undefined) throw new Error(`a server (process ${pid}) still runs on ${dataFolder}`);
};
