import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/run-system.ts';
import { unprivileged } from './leash.ts';
import { orderThrough } from './order-through.ts';
import { addressOf, findPostgres, serverFolder, startPostgres } from './postgres.ts';

/** One address that leads to whatever server is the primary, as a virtual IP address or a proxy does. */
const startAddress = async (target: () => number) => {
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const there = net.connect(target(), '127.0.0.1');
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};

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
    // A commit that was answered is on both.
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
