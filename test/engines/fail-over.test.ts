import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/run-system.ts';
import { startAddress } from '../support/start-address.ts';
import { unprivileged } from './leash.ts';
import { orderThrough } from './order-through.ts';
import { addressOf, findPostgres, serverFolder, startPostgres } from './postgres.ts';

const bin = await findPostgres(15);

test.runIf(bin)(
  'Postgres fails over to a synchronous standby while orders are placed: every PO becomes one order',
  async () => {
    const folder = await serverFolder();
    const primary = await startPostgres(bin!, {
      access: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication admin 127.0.0.1/32 scram-sha-256',
      ],
    });
    const data = join(folder, 'standby');
    const from = `host=127.0.0.1 port=${primary.port} user=admin password=admin application_name=standby`;
    execFileSync(
      join(bin!, 'pg_basebackup'),
      ['-D', data, '-d', from, '--write-recovery-conf', '--no-sync', '-c', 'fast'],
      { ...unprivileged(), cwd: '/', stdio: 'pipe' },
    );
    const standby = await startPostgres(bin!, { data, parent: folder });
    // An acknowledged commit is on both servers.
    await primary.admin(`alter system set synchronous_standby_names = 'standby'`, 'postgres');
    await primary.admin('select pg_reload_conf()', 'postgres');
    await until(
      async () =>
        (await primary.admin(`select 1 from pg_stat_replication where sync_state = 'sync'`)).rows.length > 0,
    );
    let leadsTo = primary.port;
    const address = await startAddress(() => leadsTo);
    try {
      await orderThrough(
        { databaseUrl: addressOf(address.port) },
        async ({ ordered }) => {
          await until(async () => (await ordered()) >= 5, { everyMs: 20 });
          await primary.kill();
          await standby.admin('select pg_promote()', 'postgres');
          leadsTo = standby.port;
          expect(await ordered()).toBeLessThan(60);
        },
        { pos: 60, latencyMs: 100 },
      );
      const { rows } = await standby.admin('select pg_is_in_recovery() as waits');
      expect(rows).toEqual([{ waits: false }]);
    } finally {
      address.stop();
      await standby.stop();
      await primary.stop();
    }
  },
  250_000,
);
