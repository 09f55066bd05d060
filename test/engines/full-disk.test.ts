import { chown, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mountSmall, unmount } from '../support/as-nobody.ts';
import { until } from '../support/run-system.ts';
import { unprivileged } from './leash.ts';
import { orderThrough } from './order-through.ts';
import { findPostgres, serverFolder, startPostgres } from './postgres.ts';

/** Writes until the file system is full. */
const fill = async (path: string): Promise<void> => {
  const file = await open(path, 'w');
  try {
    for (;;) await file.write(Buffer.alloc(8192));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    await file.close();
  }
};

test('the disk of Postgres is full while orders are placed: one line in the log, and they go on when there is room', async (test) => {
  const server = await startPostgres((await findPostgres(18))!);
  const small = await serverFolder();
  if (!mountSmall(small, '64m')) {
    await server.stop();
    await rm(small, { recursive: true });
    return test.skip('this user may not mount a small file system');
  }
  try {
    const tables = join(small, 'tables');
    await mkdir(tables);
    const as = unprivileged();
    if (as) await chown(tables, as.uid, as.gid);
    await server.admin(`create tablespace small location '${tables}'`, 'postgres');
    await server.admin('drop database orders', 'postgres');
    await server.admin('create database orders owner cartwright tablespace small', 'postgres');
    const filler = join(small, 'filler');
    const heard = await orderThrough(
      { databaseUrl: server.url },
      async ({ ordered, up }) => {
        await until(async () => (await ordered()) >= 5, { everyMs: 20 });
        await fill(filler);
        await up.printed('is full: make room there');
        expect(await ordered()).toBeLessThan(400);
        await rm(filler);
      },
      { pos: 400, latencyMs: 20 },
    );
    expect(heard.match(/is full: make room there/g)).toHaveLength(1);
  } finally {
    await server.stop();
    unmount(small);
    await rm(small, { recursive: true });
  }
}, 250_000);
