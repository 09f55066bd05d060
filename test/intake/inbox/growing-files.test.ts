import { EventEmitter, once } from 'node:events';
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeAccountFolders } from '../../../src/intake/inbox/account-folders.ts';
import { createClaims } from '../../../src/intake/inbox/claim.ts';
import { createImportRegister } from '../../../src/ledger/imports.ts';
import { silentLogger } from '../../../src/logger.ts';
import { usePlacing } from '../../support/use-placing.ts';

const placing = usePlacing();

let root: string;
const handles: FileHandle[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright grow '));
  await makeAccountFolders(root);
});
afterEach(async () => {
  for (const handle of handles.splice(0)) await handle.close();
  await rm(root, { recursive: true, force: true });
});

const whole = 'po_number,item_sku,quantity\nG-1,SKU-1,120\nG-2,SKU-2,1\n';
const cut = whole.slice(0, whole.indexOf('20\nG-2'));

/** An account with a file that was picked up too early, while its uploader still has it open. */
const pickUp = async (content = cut) => {
  const account = placing.account();
  const claims = createClaims({
    root,
    accountName: account.account,
    register: createImportRegister(placing.pool),
    settleMs: 0,
    logger: silentLogger,
  });
  const path = join(root, 'inbox', 'orders.csv');
  await writeFile(path, content);
  // A whole second, so that exactly this time can be set again.
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const uploader = await open(path, 'r+');
  handles.push(uploader);
  const claimed = await claims.claim(path);
  if (claimed.kind !== 'claimed') throw new Error('not claimed');
  const { importId } = claimed.registered;
  await placing.pool.query(`update imports set state = 'read' where id = $1`, [importId]);
  /** Advances the time until the next check is due. */
  const check = async () => {
    await placing.pool.query(`update watched_files set checked_at = checked_at - interval '1 hour'`);
    return claims.checkOriginals();
  };
  const grew = async (): Promise<string | null> =>
    (await placing.pool.query('select file_grew from imports where id = $1', [importId])).rows[0].file_grew;
  return { account, claims, uploader, importId, check, grew };
};

const growths: [string, (uploader: FileHandle) => Promise<unknown>][] = [
  ['the rest is appended', (uploader) => uploader.write(whole.slice(cut.length), cut.length)],
  ['one byte is appended', (uploader) => uploader.write('2', cut.length)],
  [
    'the rest is appended and the old time is set',
    async (uploader) => {
      const { atime, mtime } = await uploader.stat();
      await uploader.write(whole.slice(cut.length), cut.length);
      await uploader.utimes(atime, mtime);
    },
  ],
  ['the end is written over', (uploader) => uploader.write('9', cut.length - 1)],
  [
    'the end is written over and the old time is set',
    async (uploader) => {
      const { atime, mtime } = await uploader.stat();
      await uploader.write('9', cut.length - 1);
      await uploader.utimes(atime, mtime);
    },
  ],
  ['it is cut off', (uploader) => uploader.truncate(5)],
];

test.each(growths)('in working: %s: it is archived in failed with a note', async (_, grow) => {
  const { claims, uploader, importId, grew } = await pickUp();
  await grow(uploader);
  expect(await claims.archive(importId, 'done')).toBe(join(root, 'failed', 'orders.csv'));
  expect(await grew()).toContain('orders.csv');
  expect(await readdir(join(root, 'done'))).toEqual([]);
  expect(await readFile(join(root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(`import ${importId}`);
});

test.each(growths)(
  'in done: %s: it is moved to failed, and shown until a person moves it',
  async (_, grow) => {
    const { claims, uploader, importId, check, grew } = await pickUp();
    await claims.archive(importId, 'done');
    expect(await check()).toEqual([]);
    await grow(uploader);
    const troubles = await check();
    expect(troubles).toMatchObject([{ fileName: 'failed/orders.csv', code: 'file_grew' }]);
    expect(await grew()).toContain('orders.csv');
    expect(await readdir(join(root, 'done'))).toEqual([]);
    // Later writes go to the same file.
    await uploader.write('and more', 500);
    expect((await stat(join(root, 'failed', 'orders.csv'))).size).toBe(508);
    expect(await check()).toEqual(troubles);
    await rename(join(root, 'failed', 'orders.csv'), join(root, 'inbox', 'orders.csv'));
    expect(await check()).toEqual([]);
    expect(
      await placing.pool.query('select from watched_files where import_id = $1', [importId]),
    ).toMatchObject({
      rowCount: 0,
    });
  },
);

test('what is not submitted is held, what is gets an alarm that polls do not clear', async () => {
  const { account, claims, uploader, importId, check } = await pickUp();
  await claims.archive(importId, 'done');
  await account.add('G-1', [{ sku: 'SKU-1', quantity: 1 }], { importId });
  await account.run();
  const later = await account.add('G-3', [{ sku: 'SKU-3', quantity: 2 }], { importId });
  await uploader.write(whole.slice(cut.length), cut.length);
  await check();
  await account.run();
  expect(await account.row('G-3')).toMatchObject({ state: 'held', reason_code: 'file_grew' });
  expect(await account.ordered('G-3')).toEqual([]);
  expect(await account.row('G-1')).toMatchObject({
    state: 'ordered',
    alarm: expect.stringContaining('orders.csv'),
  });
  await account.poll();
  expect(await account.row('G-1')).toMatchObject({ alarm: expect.stringContaining('orders.csv') });

  await account.act('release', { poNumber: 'G-3' });
  await account.run();
  expect(await account.row('G-3')).toMatchObject({ id: later.id, state: 'ordered', alarm: null });
  await account.poll();
  expect(await account.row('G-3')).toMatchObject({ state: 'ordered', alarm: null });
});

test.each(['intent_committed', 'effect_done', 'between_items'] as const)(
  'a file that turns out to have grown while its PO is being placed (%s): nothing is submitted',
  async (moment) => {
    const { account, claims, uploader, importId, check } = await pickUp();
    await claims.archive(importId, 'done');
    const { id } = await account.add('G-1', [{ sku: 'SKU-1', quantity: 1 }], { importId });
    let seen = false;
    await account.step(id, async (name) => {
      if (name !== moment || seen) return;
      seen = true;
      await uploader.write(whole.slice(cut.length), cut.length);
      await check();
    });
    expect(account.calls).not.toContain('createOrder G-1');
    expect(await account.ordered('G-1')).toEqual([]);
    // Its worker is gone, and the lease runs out.
    await placing.pool.query(
      `update purchase_orders set lease_until = clock_timestamp() - interval '1 day' where id = $1 and lease_owner is not null`,
      [id],
    );
    await account.run();
    expect(await account.row('G-1')).toMatchObject({ state: 'held', reason_code: 'file_grew' });
    expect(await account.ordered('G-1')).toEqual([]);
  },
);

test('a file that was only touched, moved or replaced by another one holds nothing', async () => {
  for (const change of [
    (path: string) => utimes(path, 1000, 1000),
    (path: string) => rename(path, `${path}.old`),
    async (path: string) => {
      await writeFile(`${path}.new`, 'po_number,item_sku,quantity\nother,S,1\n');
      await rename(`${path}.new`, path);
    },
  ]) {
    const { claims, importId, check, grew } = await pickUp(whole);
    await change((await claims.archive(importId, 'done'))!);
    expect(await check()).toEqual([]);
    expect(await grew()).toBeNull();
    await rm(join(root, 'done'), { recursive: true });
    await makeAccountFolders(root);
  }
});

test.each(['before the other one says where it moves it', 'after it was moved'])(
  'a process that archives a file at the same time and says where it will be %s does not hide it',
  async (when) => {
    const { claims, account, uploader, importId, check, grew } = await pickUp();
    const register = createImportRegister(placing.pool);
    const steps = new EventEmitter();
    const reached = once(steps, 'reached');
    const moved = once(steps, 'moved');
    const slower = createClaims({
      ...{ root, accountName: account.account, settleMs: 0, logger: silentLogger },
      register: {
        ...register,
        watched: {
          ...register.watched,
          recordPath: async (id, path) => {
            const isEarly = when.startsWith('before');
            if (isEarly) await register.watched.recordPath(id, path);
            steps.emit('reached');
            await moved;
            if (!isEarly) await register.watched.recordPath(id, path);
          },
        },
      },
    });
    const late = slower.archive(importId, 'done');
    await reached;
    const path = await claims.archive(importId, 'done');
    steps.emit('moved');
    expect(await late).toBeUndefined();
    expect(await readdir(join(root, 'done'))).toEqual([basename(path!)]);
    await uploader.write(whole.slice(cut.length), cut.length);
    expect(await check()).toMatchObject([{ code: 'file_grew' }]);
    expect(await grew()).toContain('orders.csv');
    // A later file at one of these paths is a different one.
    await rm(join(root, 'failed'), { recursive: true });
    expect(await check()).toEqual([]);
  },
);

test("tomorrow's file of the same name is not taken for today's", async () => {
  const first = await pickUp(whole);
  const path = (await first.claims.archive(first.importId, 'done'))!;
  await rm(path);
  const second = await pickUp(`${whole}G-9,S,1\n`);
  await placing.pool.query('update imports set account = $1 where id = $2', [
    second.account.account,
    first.importId,
  ]);
  expect(await second.claims.archive(second.importId, 'done')).toBe(path);
  expect(await second.check()).toEqual([]);
  expect(await first.grew()).toBeNull();
});

test('a file that changes for longer than it is watched: the watch ends after a day', async () => {
  const { claims, importId, check, uploader, grew } = await pickUp();
  await claims.archive(importId, 'done');
  await placing.pool.query(
    `update watched_files set picked_up_at = now() - interval '25 hours' where import_id = $1`,
    [importId],
  );
  await uploader.write('2', cut.length);
  expect(await check()).toEqual([]);
  expect(await grew()).toBeNull();
});
