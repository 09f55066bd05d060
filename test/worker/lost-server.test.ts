import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, fileOf, type System, somePos } from '../support/run-system.ts';
import { startSshd } from '../support/sshd.ts';

const sshd = await startSshd();
afterAll(() => sshd?.stop());

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let system: System | undefined;
beforeEach(async () => {
  ledger = await createTestDatabase();
});
afterEach(async () => {
  await system?.stop();
  await ledger.drop();
});

const put = (name: string, content: string | Buffer): void => {
  const path = join(sshd!.root, 'orders', name);
  writeFileSync(`${path}.part`, content);
  sshd!.give(`orders/${name}.part`);
  renameSync(`${path}.part`, path);
};
const known = async () =>
  (await system!.ledger.query('select file_name, code, since from file_problems order by 1')).rows;
const told = async () =>
  (
    await system!.ledger.query(
      `select subject from notification_events where kind = 'sftp_failed' order by 1`,
    )
  ).rows.map(({ subject }) => subject);
const imported = async () =>
  (await system!.ledger.query('select file_name from imports order by id')).rows.map(
    ({ file_name }) => file_name,
  );

describe.skipIf(!sshd)('with sshd (skipped where it is not installed)', () => {
  test('a server that breaks off and comes back is one problem of its own; what is known about files stays, also after a restart', async () => {
    mkdirSync(join(sshd!.root, 'orders'));
    sshd!.give('orders');
    const { host, port, user } = sshd!.server;
    const sftp = {
      ...{ host, port, user, hostKey: sshd!.hostKey(), every: '1s', timeout: '5s' },
      auth: { kind: 'key', secretFile: sshd!.privateKeyFile },
      fetch: { folder: 'orders' },
    };
    system = await createSystem({
      ledgerUrl: ledger.url,
      accounts: { north: { baseUrl: 'http://127.0.0.1:9', sftp } },
    });
    // Like a running process with a route for it.
    const working = await system.work();
    await system.ledger.query(
      `insert into notification_kinds (kind) values ('sftp_failed') on conflict do nothing`,
    );
    put('list.pdf', '%PDF');
    put('locked.csv', fileOf(somePos('locked ', 1)));
    chmodSync(join(sshd!.root, 'orders/locked.csv'), 0);
    const files = [
      { file_name: 'orders/list.pdf', code: 'not_fetched' },
      { file_name: 'orders/locked.csv', code: 'place_denied' },
    ];
    await expect.poll(known).toMatchObject(files);
    const before = await known();

    await sshd!.kill();
    const server = { file_name: `${host}:${port}`, code: 'sftp_unreachable' };
    await expect.poll(known).toMatchObject([server, ...files]);
    expect((await known()).slice(1)).toEqual(before);
    await sshd!.start();
    put('large.csv', fileOf(somePos('large ', 3)));
    await expect.poll(imported).toEqual(['large.csv']);
    await expect.poll(known).toEqual(before);
    await working.stop();

    const again = await system.work();
    put('next.csv', fileOf(somePos('next ', 1)));
    await expect.poll(imported).toEqual(['large.csv', 'next.csv']);
    expect(await known()).toEqual(before);
    expect(await told()).toEqual([server.file_name, ...files.map(({ file_name }) => file_name)]);
    chmodSync(join(sshd!.root, 'orders/locked.csv'), 0o644);
    await expect.poll(known).toEqual([before[0]]);
    expect(await readdir(join(sshd!.root, 'orders'))).toContain('list.pdf');
    await again.stop();
  });
});
