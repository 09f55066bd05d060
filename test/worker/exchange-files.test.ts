import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, fileOf, type System, somePos, startService } from '../support/run-system.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';

const sshd = await startSshd();
afterAll(() => sshd?.stop());

let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
beforeAll(async () => {
  served = await createTestDatabase();
  service = await startService(served.url);
});
afterAll(async () => {
  await service.stop();
  await served.drop();
});

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let system: System | undefined;
beforeEach(async () => {
  ledger = await createTestDatabase();
});
afterEach(async () => {
  await system?.stop();
  await ledger.drop();
});

/** The `sftp` section of an account with separate folders at the server. */
const sectionOf = ({ server, privateKeyFile, hostKey }: TestSshd, name: string) => ({
  host: server.host,
  port: server.port,
  user: server.user,
  hostKey: hostKey(),
  auth: { kind: 'key', secretFile: privateKeyFile },
  every: '1s',
  timeout: '5s',
  fetch: { folder: `${name}/orders` },
  deliver: { results: `${name}/results`, reports: `${name}/reports` },
});

/** Like a correct uploader: writes under another name, then renames. */
const upload = (folder: string, name: string, text: string): void => {
  const at = (file: string) => join(sshd!.root, folder, file);
  writeFileSync(at(`${name}.part`), text);
  sshd!.give(join(folder, `${name}.part`));
  renameSync(at(`${name}.part`), at(name));
};
const makeFolder = (path: string): void => {
  mkdirSync(join(sshd!.root, path));
  sshd!.give(path);
};
const names = async (path: string): Promise<string[]> =>
  (await readdir(join(sshd!.root, path)).catch(() => [])).sort();
const result = /^orders\.\d+\.result\.csv$/;
const problemsOf = async (account: string) =>
  (
    await system!.ledger.query(
      'select place, file_name as "fileName", code, message from file_problems where account = $1 order by 1, 2',
      [account],
    )
  ).rows;

describe.skipIf(!sshd)('with sshd (skipped where it is not installed)', () => {
  test('a file of the server is ordered, and its result and the report go there; a server that hangs delays only its account', async () => {
    makeFolder('north');
    makeFolder('north/orders');
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const baseUrl = service.url;
      const slow = {
        ...sectionOf(sshd!, 'slow'),
        port: (silent.address() as AddressInfo).port,
        timeout: '60s',
      };
      system = await createSystem({
        ledgerUrl: ledger.url,
        accounts: {
          slow: { baseUrl, token: 'slow', sftp: slow },
          north: { baseUrl, token: 'north', sftp: sectionOf(sshd!, 'north') },
        },
      });
      const working = await system.work();
      const pos = somePos('north ', 3);
      await system.drop('slow', 'local.csv', fileOf(somePos('slow ', 1)));
      upload('north/orders', 'orders.csv', fileOf(pos));
      await system.settled(2);
      await expect.poll(() => names('north/results')).toEqual([expect.stringMatching(result)]);
      await expect
        .poll(async () => {
          const [name] = await names('north/results');
          return readFile(join(sshd!.root, 'north/results', name!), 'utf8');
        })
        .toContain('ordered');
      await working.runtime.jobs.writeStatusReport('north');
      await expect.poll(async () => (await names('north/reports')).length).toBeGreaterThan(0);
      expect(await names('north/orders')).toEqual(['done']);
      expect(await problemsOf('north')).toEqual([]);
      await working.stop();
    } finally {
      silent.close();
    }
  });

  test('what is wrong with the server is in the ledger while it lasts, and orders go on', async () => {
    makeFolder('west');
    makeFolder('west/orders');
    const section = sectionOf(sshd!, 'west');
    system = await createSystem({
      ledgerUrl: ledger.url,
      accounts: { west: { baseUrl: service.url, sftp: section } },
    });
    const working = await system.work();
    await expect
      .poll(async () => (await system!.ledger.query('select 1 from file_exchanges')).rowCount)
      .toBeGreaterThan(0);
    await system.ledger.query(
      `insert into notification_kinds (kind) values ('sftp_failed') on conflict do nothing`,
    );

    await sshd!.kill();
    const unreachable = { code: 'sftp_unreachable', fileName: `127.0.0.1:${section.port}` };
    await expect.poll(() => problemsOf('west')).toMatchObject([unreachable]);
    await system.drop('west', 'local.csv', fileOf(somePos('west ', 2)));
    await system.settled(1);

    await sshd!.changeHostKey();
    await expect.poll(() => problemsOf('west')).toMatchObject([{ code: 'sftp_host_key' }]);
    expect(await names('west/results')).toEqual([]);
    const { rows: events } = await system.ledger.query(
      `select kind, account, detail from notification_events where kind = 'sftp_failed'`,
    );
    expect(events).toContainEqual({
      kind: 'sftp_failed',
      account: 'west',
      detail: expect.stringContaining('cannot be reached'),
    });
    await working.stop();
  });

  test('a schedule for taking files holds for those of the server, too', async () => {
    makeFolder('east');
    makeFolder('east/orders');
    const section = sectionOf(sshd!, 'east');
    system = await createSystem({
      ledgerUrl: ledger.url,
      accounts: { east: { baseUrl: service.url, sftp: section, schedule: { takeFiles: '0 0 1 1 *' } } },
    });
    const working = await system.work();
    upload('east/orders', 'orders.csv', fileOf(somePos('east ', 2)));
    await mkdir(join(system.config.accounts[0]!.folder, 'results'), { recursive: true });
    await expect
      .poll(
        async () =>
          (await system!.ledger.query('select 1 from file_exchanges where delivers_since_ms > 0')).rowCount,
      )
      .toBe(1);
    expect(await names('east/orders')).toEqual(['orders.csv']);
    await working.runtime.jobs.takeFiles('east');
    await system.settled(1);
    await expect.poll(() => names('east/results')).toEqual([expect.stringMatching(result)]);
    await working.stop();
  });

  test('a full and a read-only folder at the server are one problem each; what was fetched is ordered once', async () => {
    makeFolder('south');
    makeFolder('south/orders');
    const section = sectionOf(sshd!, 'south');
    system = await createSystem({
      ledgerUrl: ledger.url,
      accounts: { south: { baseUrl: service.url, sftp: section } },
    });
    const working = await system.work();
    upload('south/orders', 'orders.csv', fileOf(somePos('south ', 40)));
    // The files below it cannot be moved or removed.
    chmodSync(join(sshd!.root, 'south/orders'), 0o555);
    await sshd!.limitFiles(512);
    await system.settled(1);
    await expect
      .poll(async () =>
        (await problemsOf('south')).map(({ place, fileName, code }) => [place, fileName, code]),
      )
      .toEqual([
        ['delivered', 'south/results', 'place_failed'],
        ['fetched', 'south/orders/orders.csv', 'not_moved'],
      ]);
    chmodSync(join(sshd!.root, 'south/orders'), 0o755);
    await sshd!.limitFiles(undefined);
    await expect.poll(() => problemsOf('south')).toEqual([]);
    expect(await names('south/results')).toEqual([expect.stringMatching(result)]);
    expect(await names('south/orders')).toEqual(['done']);
    const { rows } = await system.ledger.query('select count(*)::int as n from imports');
    expect(rows).toEqual([{ n: 1 }]);
    await working.stop();
  });
});
