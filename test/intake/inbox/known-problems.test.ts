import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { createDropFolder } from '../../../src/intake/inbox/drop-folder.ts';
import { createFileProblemReport } from '../../../src/intake/inbox/file-problems.ts';
import { createFileProblemRegister } from '../../../src/ledger/file-problems.ts';
import { createHeardLogger } from '../../support/heard-logger.ts';
import { useClaims } from './use-claims.ts';

const account = useClaims();

const known = async () =>
  (
    await account.pool.query('select file_name, since from file_problems where account = $1 order by 1', [
      account.name,
    ])
  ).rows;

/** A process that watches the inbox, with its log. */
const startProcess = ({ settleMs, readable }: { settleMs: number; readable: boolean }) => {
  const { logger, lines } = createHeardLogger();
  const folder = createDropFolder({
    root: account.root,
    accountName: account.name,
    logger,
    settleMs,
    onReady: async () => {
      if (!readable) throw new UserError('denied', 'The file may not be read.');
    },
    report: createFileProblemReport({
      account: account.name,
      place: 'inbox',
      register: createFileProblemRegister(account.pool),
      logger,
    }),
  });
  return { scan: () => folder.scanNow(), warnings: () => lines.filter(({ level }) => level === 'warn') };
};

test('a restarted process neither forgets nor repeats a problem of a file that it waits for', async () => {
  await account.drop('orders.csv', 'PO,SKU,Qty\n1,A,2\n');
  const first = startProcess({ settleMs: 0, readable: false });
  await first.scan();
  const before = await known();
  expect(before).toMatchObject([{ file_name: 'orders.csv' }]);
  expect(first.warnings()).toHaveLength(1);

  const waiting = startProcess({ settleMs: 3_600_000, readable: false });
  await waiting.scan();
  await waiting.scan();
  expect(await known()).toEqual(before);
  const again = startProcess({ settleMs: 0, readable: false });
  await again.scan();
  expect(await known()).toEqual(before);
  expect([...waiting.warnings(), ...again.warnings()]).toEqual([]);

  await startProcess({ settleMs: 0, readable: true }).scan();
  expect(await known()).toEqual([]);
});

test('an inbox that cannot be listed says nothing new about its files', async () => {
  const inbox = join(account.root, 'inbox');
  await account.drop('orders.csv', 'PO,SKU,Qty\n1,A,2\n');
  const { scan, warnings } = startProcess({ settleMs: 0, readable: false });
  await scan();
  const [before] = await known();
  await rename(inbox, `${inbox}-away`);
  await writeFile(inbox, '');
  await scan();
  expect(await known()).toEqual([expect.objectContaining({ file_name: 'inbox' }), before]);
  await rename(`${inbox}-away`, join(account.root, 'kept'));
  await rename(inbox, `${inbox}-file`);
  await rename(join(account.root, 'kept'), inbox);
  await scan();
  expect(await known()).toEqual([before]);
  expect(warnings()).toHaveLength(2);
});

test('a problem of a file that was removed is over', async () => {
  const path = await account.drop('orders.csv', 'PO,SKU,Qty\n1,A,2\n');
  const { scan } = startProcess({ settleMs: 0, readable: false });
  await scan();
  await rename(path, join(account.root, 'elsewhere.csv'));
  await scan();
  expect(await known()).toEqual([]);
});
