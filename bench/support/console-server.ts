import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newToken } from '../../src/console/access/secrets.ts';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { addToken } from '../../src/ledger/console/tokens.ts';
import { builtCartwright, forkMeasured, type MeasuredProcess } from './measured-process.ts';

const by = { who: 'bench', via: 'command line' } as const;

/** A token of a viewer who sees all accounts. */
export const addBenchToken = async (pool: pg.Pool): Promise<string> => {
  const { secret, hash } = newToken();
  const token = {
    name: `bench ${Date.now()}`,
    role: 'viewer',
    accounts: null,
    tokenHash: hash,
    days: null,
  } as const;
  await addToken(pool, token, by);
  return secret;
};

export interface ConsoleServer {
  url: string;
  token: string;
  process: MeasuredProcess;
  stop(): Promise<void>;
}

/** Starts `cartwright console` in its own process, on an existing ledger. */
export const startConsoleServer = async ({
  pool,
  databaseUrl,
  folder,
  accounts,
}: {
  pool: pg.Pool;
  databaseUrl: string;
  folder: string;
  accounts: readonly string[];
}): Promise<ConsoleServer> => {
  const port = await findFreePort();
  const file = join(folder, 'cartwright.yaml');
  const settings = {
    dataFolder: join(folder, 'data'),
    log: { level: 'silent' },
    console: { port },
    accounts: Object.fromEntries(accounts.map((name) => [name, { baseUrl: `http://127.0.0.1:9/${name}` }])),
  };
  await writeFile(file, JSON.stringify(settings));
  const token = await addBenchToken(pool);
  const process = forkMeasured(builtCartwright, ['console', '--config', file], { DATABASE_URL: databaseUrl });
  const url = `http://127.0.0.1:${port}`;
  let ended = false;
  void process.ended().then(() => {
    ended = true;
  });
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) break;
    if (ended || tries > 600)
      throw new Error('cartwright console did not start; run it with the same configuration to see why');
    await sleep(100);
  }
  return { url, token, process, stop: () => process.end('SIGTERM') };
};
