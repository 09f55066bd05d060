import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileCheckpoint } from '../../src/worker/read-import.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, type Quantities, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import { startSshd } from '../support/sshd.ts';

const sshd = await startSshd();
afterAll(() => sshd?.stop());

/** Every durable moment between the server, the folder and the ledger; `about` names it as the checkpoint does. */
const moments: { at: FileCheckpoint; about(file: string): string }[] = [
  { at: 'fetch_begun', about: (file) => file },
  { at: 'downloaded', about: (file) => file },
  { at: 'fetched', about: (file) => file },
  { at: 'moved_away', about: (file) => file },
  { at: 'uploaded', about: () => 'default' },
  { at: 'delivered', about: () => 'default' },
];

const names = async (path: string) => (await readdir(join(sshd!.root, path)).catch(() => [])).sort();

describe.skipIf(!sshd)('with sshd (skipped where it is not installed)', () => {
  test('a process killed at any moment of an exchange loses no file, orders none twice, and delivers each result', async () => {
    const ledger = await createTestDatabase();
    const served = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: served.url, max: 4 });
    const service = await startService(pool, { dealers: [{ name: 'd', token: 'd' }] });
    let system: System | undefined;
    try {
      mkdirSync(join(sshd!.root, 'orders'));
      sshd!.give('orders');
      const { host, port, user, hostKeys } = sshd!.server;
      system = await createSystem({
        ledgerUrl: ledger.url,
        accounts: {
          default: {
            baseUrl: service.url,
            token: 'd',
            sftp: {
              ...{ host, port, user, hostKey: hostKeys, every: '1s' },
              auth: { kind: 'key', secretFile: sshd!.privateKeyFile },
              fetch: { folder: 'orders' },
              deliver: { results: 'results' },
            },
          },
        },
        worker: { leaseMs: 1_000, sweepEveryMs: 1_000 },
      });
      const asked = new Map<string, Quantities>();
      for (const [index, { at, about }] of moments.entries()) {
        const file = `${index}-${at}.csv`;
        const pos = somePos(`${at} `, 3);
        for (const [po, quantities] of pos) asked.set(po, quantities);
        const worker = await system.spawn({ stops: { [about(file)]: { at, nth: 1, how: 'wait' } } });
        writeFileSync(join(sshd!.root, 'orders', `${file}.part`), fileOf(pos));
        sshd!.give(`orders/${file}.part`);
        renameSync(join(sshd!.root, 'orders', `${file}.part`), join(sshd!.root, 'orders', file));
        await worker.stoppedAt(1);
        await worker.kill();
      }
      const last = await system.spawn();
      await system.settled(moments.length);
      const files = moments.map(({ at }, index) => `${index}-${at}.csv`);
      await until(
        async () => {
          const { folder } = system!.config.accounts[0]!;
          const results = (await readdir(join(folder, 'results')))
            .filter((name) => !name.startsWith('.'))
            .sort();
          if (results.length < files.length || (await names('results')).join() !== results.join())
            return false;
          const same = await Promise.all(
            results.map(async (name) => {
              const there = await readFile(join(sshd!.root, 'results', name), 'utf8');
              return there === (await readFile(join(folder, 'results', name), 'utf8'));
            }),
          );
          return same.every(Boolean) && (await names('orders')).join() === 'done';
        },
        {
          describe: async () =>
            JSON.stringify([await names('results'), await names('orders'), await system!.describe()]),
        },
      );
      await last.end();
      expect((await names('orders/done')).map((name) => name.replace(/\.[0-9a-f]{8}/, ''))).toEqual(files);
      const { rows } = await system.ledger.query(
        `select (select count(*)::int from imports) as imports, (select count(*)::int from fetched_files) as open`,
      );
      expect(rows).toEqual([{ imports: moments.length, open: 0 }]);
      const verdict = judge(
        asked,
        await ordersByPo(pool, { dealer: 'd' }),
        await readLedgerPos(system.ledger, 'default'),
      );
      expect(verdict).toEqual(allOrdered(asked));
    } finally {
      await system?.stop();
      await service.stop();
      await pool.end();
      await served.drop();
      await ledger.drop();
    }
  });
});
