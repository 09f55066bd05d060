import { appendFile, chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { FilePlace } from '../../src/sources/file-place.ts';
import { insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useTransfers } from './use-transfers.ts';

const transfers = useTransfers();
const { account, put, fetcher, copies, names, imported, open } = transfers;
const rows = 'PO,SKU,Qty\n1,A,2\n';

test('a complete file becomes an import, and is moved away with a part of its claim in its name', async () => {
  await put('orders.csv', rows);
  await mkdir(transfers.at('orders/old'));
  const { problems } = await fetcher().round(transfers.place);
  expect(problems).toEqual([]);
  expect(await copies()).toEqual([rows]);
  expect(imported).toMatchObject([{ state: 'taken', fileName: 'orders.csv' }]);
  const [done] = await names('orders/done');
  expect(done).toMatch(/^orders\.[0-9a-f]{8}\.csv$/);
  expect(imported[0]!.filePath).toContain(done!.split('.')[1]);
  expect(await names('orders')).toEqual(['done', 'old']);
  expect(await open()).toEqual([]);
});

test('a file is left until it has not changed for the settle time, and its marker ends the wait', async () => {
  await put('slow.csv', 'PO,SKU,Qty\n');
  await put('marked.csv', rows);
  await put('marked.csv.done', '');
  await put('stale.csv', rows.replace('1', '2'), 1_700_000_100);
  await put('stale.csv.done', '', 1_700_000_099);
  const waiting = fetcher({ settleMs: 60_000 });
  const { waitMs } = await waiting.round(transfers.place);
  expect(imported.map(({ fileName }) => fileName)).toEqual(['marked.csv']);
  expect(waitMs).toBeGreaterThan(0);
  expect(await names('orders')).toEqual(['done', 'slow.csv', 'stale.csv', 'stale.csv.done']);
});

test('no marker of a fetched file is left behind, however old it is or late it comes', async () => {
  await put('orders.csv', rows, 1_700_000_100);
  await put('orders.csv.ok', '', 1_700_000_050);
  const one = fetcher({ maxFileBytes: 100 });
  await put('large.csv', rows.repeat(20));
  await one.round(transfers.place);
  expect(await names('orders')).not.toContain('orders.csv.ok');
  await put('orders.csv.done', '', 1_700_000_200);
  await put('large.csv.done', '', 1_700_000_200);
  await put('never.csv.done', '', 1_700_000_200);
  await one.round(transfers.place);
  expect(await names('orders')).toEqual(['done', 'large.csv', 'large.csv.done', 'never.csv.done']);
});

test('a file without its end waits, is read once for that, and is fetched when it is whole', async () => {
  await put('orders.csv', 'PO,SKU,Qty\n1,A,1');
  const one = fetcher();
  let reads = 0;
  const counting: FilePlace = {
    ...transfers.place,
    read: (path) => {
      reads += 1;
      return transfers.place.read(path);
    },
  };
  for (let round = 0; round < 3; round += 1) await one.round(counting);
  expect(reads).toBe(1);
  expect(imported).toEqual([]);
  expect(await open()).toEqual([]);
  expect(transfers.heard.lines.filter(({ file }) => file === 'orders.csv')).toHaveLength(1);
  await appendFile(transfers.at('orders/orders.csv'), '2\n');
  await one.round(counting);
  await one.round(counting);
  expect(await copies()).toEqual(['PO,SKU,Qty\n1,A,12\n']);
});

test('a file that has waited long enough is fetched without its end', async () => {
  await put('orders.csv', 'PO,SKU,Qty\n1,A,1');
  await fetcher({ incompleteMs: 0 }).round(transfers.place);
  expect(await copies()).toEqual(['PO,SKU,Qty\n1,A,1']);
});

test('a file that changes while it is read is not taken', async () => {
  await put('orders.csv', rows);
  const growing: FilePlace = {
    ...transfers.place,
    read: async (path) => {
      const content = await transfers.place.read(path);
      await appendFile(transfers.at(path), '2,B,1\n');
      return content;
    },
  };
  const one = fetcher();
  await one.round(growing);
  expect(imported).toEqual([]);
  await one.round(transfers.place);
  await one.round(transfers.place);
  expect(await copies()).toEqual([`${rows}2,B,1\n`]);
});

test('a server that sends more than it said, without end, is cut off', async () => {
  await put('orders.csv', rows);
  let sent = 0;
  const endless = async function* () {
    for (;;) {
      sent += 1;
      yield Buffer.alloc(65_536, 'x');
    }
  };
  await fetcher().round({
    ...transfers.place,
    read: async () => Readable.from(endless(), { objectMode: false }),
  });
  expect(sent).toBeLessThan(50);
  expect(imported).toEqual([]);
});

test('the same name with other rows the next day is another import; the same rows again are a repetition', async () => {
  for (const text of [rows, rows.replace('1,A', '2,A'), rows]) {
    await put('orders.csv', text);
    await fetcher().round(transfers.place);
  }
  expect((await account.imports()).map(({ state }) => state)).toEqual(['taken', 'taken', 'repeated']);
  expect(await names('orders/done')).toHaveLength(3);
});

test('a file whose time was set after the upload is the same file', async () => {
  await put('orders.csv', rows);
  await fetcher({
    checkpoint: async (name) => {
      if (name === 'fetched') await utimes(transfers.at('orders/orders.csv'), 1_600_000_000, 1_600_000_000);
    },
  }).round(transfers.place);
  expect(await account.imports()).toHaveLength(1);
  expect(await names('orders')).toEqual(['done']);
});

test('a server that gives moved files a new time does not confuse', async () => {
  await put('orders.csv', rows);
  const restamping: FilePlace = {
    ...transfers.place,
    move: async (from, to) => {
      const moved = await transfers.place.move(from, to);
      await utimes(transfers.at(to), 1_500_000_000, 1_500_000_000);
      return moved;
    },
  };
  await fetcher().round(restamping);
  expect(await names('orders')).toEqual(['done']);
  expect(await open()).toEqual([]);
});

test('a file that is written while it is moved is put back, compared, and fetched whole', async () => {
  await put('orders.csv', rows);
  let times = 0;
  const written: FilePlace = {
    ...transfers.place,
    move: async (from, to) => {
      times += 1;
      if (times === 1) await appendFile(transfers.at(from), '1,B,3\n');
      return transfers.place.move(from, to);
    },
  };
  const one = fetcher();
  for (let round = 0; round < 4; round += 1) await one.round(written);
  expect(await copies()).toEqual([rows, `${rows}1,B,3\n`]);
  expect((await account.imports())[0]).toMatchObject({
    file_grew: expect.stringContaining('changed at the SFTP server'),
  });
  expect(await names('orders')).toEqual(['done']);
});

test('a file that goes on after it was fetched holds what was not submitted, alarms the rest, and is fetched whole', async () => {
  await put('orders.csv', rows);
  const one = fetcher({
    checkpoint: async (name) => {
      if (name !== 'fetched' || imported.length > 0) return;
      const [first] = await account.imports();
      await insertPurchaseOrder(account.pool, first!.id, '1', { account: account.name, state: 'ordered' });
      await appendFile(transfers.at('orders/orders.csv'), '1,B,3\n');
    },
  });
  await one.round(transfers.place);
  const { rows: alarmed } = await account.pool.query(
    'select alarm, i.file_grew from purchase_orders p join imports i on i.id = p.import_id where p.account = $1',
    [account.name],
  );
  expect(alarmed[0].alarm).toContain('changed at the SFTP server');
  expect(alarmed[0].file_grew).toContain('rows may be missing');
  await one.round(transfers.place);
  await one.round(transfers.place);
  expect(await copies()).toEqual([rows, `${rows}1,B,3\n`]);
  expect(await names('orders')).toEqual(['done']);
});

test.each(['fetch_begun', 'downloaded', 'fetched', 'moved_away'] as const)(
  'a process that ends at %s loses no file and imports none twice',
  async (moment) => {
    await put('orders.csv', rows);
    const ended = fetcher({
      checkpoint: async (name) => {
        if (name === moment) throw Object.assign(new Error('the process ended here'), { code: 'ENDED' });
      },
    });
    await ended.round(transfers.place);
    const next = fetcher();
    await next.round(transfers.place);
    await next.round(transfers.place);
    expect(await copies()).toEqual([rows]);
    expect(await names('orders')).toEqual(['done']);
    expect(await names('orders/done')).toHaveLength(1);
    expect(await open()).toEqual([]);
  },
);

test('a file of the same name, size and time, put there after a move that was not recorded, is not lost', async () => {
  await put('orders.csv', rows);
  const ended = fetcher({
    checkpoint: async (name) => {
      if (name === 'moved_away') throw new Error('the process ended here');
    },
  });
  await ended.round(transfers.place);
  const other = rows.replace('A', 'B');
  await put('orders.csv', other);
  const next = fetcher();
  await next.round(transfers.place);
  await next.round(transfers.place);
  expect(await copies()).toEqual([rows, other]);
  expect(await names('orders/done')).toHaveLength(2);
});

test('two processes at once import each file once', async () => {
  await put('a.csv', rows);
  await put('b.csv', rows.replace('1', '2'));
  await Promise.all(
    [1, 2, 3].map(() =>
      fetcher()
        .round(transfers.place)
        .catch(() => {}),
    ),
  );
  const last = fetcher();
  await last.round(transfers.place);
  await last.round(transfers.place);
  expect((await account.imports()).filter(({ state }) => state === 'taken')).toHaveLength(2);
  expect(await names('orders')).toEqual(['done']);
});

test('while the ledger cannot register, the file stays; then it is imported once', async () => {
  await put('orders.csv', rows);
  await account.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'the ledger is full'; end $$;
     create trigger refuse before insert on imports for each row execute function refuse()`,
  );
  const one = fetcher();
  const { problems } = await one
    .round(transfers.place)
    .finally(() => account.pool.query('drop trigger refuse on imports; drop function refuse()'));
  expect(problems).toHaveLength(1);
  expect(await names('orders')).toEqual(['orders.csv']);
  await one.round(transfers.place);
  expect(await copies()).toEqual([rows]);
  expect(await names('orders')).toEqual(['done']);
});

test('a file that cannot be moved away is imported once, with one sentence that says so', async () => {
  await put('orders.csv', rows);
  const readOnly: FilePlace = {
    ...transfers.place,
    move: async () => {
      await chmod(transfers.at('orders'), 0o700);
      const { PlaceError } = await import('../../src/sources/file-place.ts');
      throw new PlaceError('denied', 'Cannot move orders/orders.csv: permission denied.');
    },
  };
  for (let round = 0; round < 3; round += 1) {
    const { problems } = await fetcher().round(readOnly);
    expect(problems).toEqual([
      {
        fileName: 'orders/orders.csv',
        code: 'not_moved',
        message: expect.stringContaining('is not fetched again'),
      },
    ]);
  }
  expect(await copies()).toEqual([rows]);
});

test('what cannot be fetched stays and is named; the others are fetched', async () => {
  await put('good.csv', rows);
  await put('new\nline.csv', rows);
  await put('letter.pdf', 'x');
  await put('large.csv', `${'x'.repeat(2000)}\n`);
  await put('.hidden.csv', rows);
  await put('upload.csv.part', rows);
  await symlink('/etc/passwd', transfers.at('orders/link.csv'));
  const hostile: FilePlace = {
    ...transfers.place,
    list: async (folder) => {
      const listed = await transfers.place.list(folder);
      const good = listed.find(({ name }) => name === 'good.csv')!;
      return [
        ...listed,
        ...['../x.csv', '..', '/etc/x.csv', 'a\\b.csv', '', 'caf\ufffd.csv', 'x\u202evsc.csv'].map(
          (name) => ({
            ...good,
            name,
          }),
        ),
      ];
    },
  };
  const { problems } = await fetcher({ maxFileBytes: 1000 }).round(hostile);
  expect(await copies()).toEqual([rows]);
  // Names that begin with a dot are ignored.
  expect(problems).toHaveLength(9);
  const said = problems.map(({ message }) => message).join('\n');
  for (const part of [
    'control characters',
    'not UTF-8',
    'another folder',
    'symbolic link',
    'ends in',
    'are read',
  ])
    expect(said).toContain(part === 'ends in' ? 'does not end in' : part);
  for (const { message, fileName } of problems) {
    expect(message).toMatch(/^[^\n]*\.$/);
    expect(fileName).not.toContain('\n');
  }
  expect(await names('orders')).toContain('letter.pdf');
});

test('a name that is too long for this machine is shortened, and keeps its ending', async () => {
  const name = `${'ü'.repeat(200)}.csv`;
  let listed = true;
  await fetcher().round({
    ...transfers.place,
    list: async () => (listed ? [{ name, kind: 'file', sizeBytes: rows.length, modifiedMs: 1 }] : []),
    find: async () => (listed ? { name, kind: 'file', sizeBytes: rows.length, modifiedMs: 1 } : undefined),
    read: async () => Readable.from([Buffer.from(rows)], { objectMode: false }),
    move: async () => {
      listed = false;
      return true;
    },
  });
  expect(imported[0]?.fileName).toMatch(/^ü+\.csv$/);
});

test('a file that the dealer removes before it is fetched is no problem', async () => {
  await put('orders.csv', rows);
  await put('other.csv', rows);
  const one = fetcher({
    checkpoint: async (name, file) => {
      if (name === 'fetch_begun' && file === 'orders.csv') await rm(transfers.at('orders/orders.csv'));
      if (name === 'fetched' && file === 'other.csv')
        await rename(transfers.at('orders/other.csv'), transfers.at('taken.csv'));
    },
  });
  await one.round(transfers.place);
  const { problems } = await one.round(transfers.place);
  expect(problems).toEqual([]);
  expect(await copies()).toEqual([rows]);
  expect(await open()).toEqual([]);
  await writeFile(transfers.at('orders/orders.csv'), rows.replace('1', '9'));
  await fetcher().round(transfers.place);
  expect(await copies()).toHaveLength(2);
});
