import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { layoutOfMapping, readSaid } from '../../../src/intake/layout-of-mapping.ts';
import { knownOf } from '../../../src/intake/layouts/known-values.ts';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { RowIssue } from '../../../src/intake/types.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-unread-'));
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async (name: string, ...statuses: string[]) => {
  const path = join(folder, name);
  const rows = statuses.map((status, at) => `P-${at},A-${at},2,${status}\n`);
  await writeFile(path, `PO Number,SKU,Qty,Status\n${rows.join('')}`);
  return { path, fileName: name };
};

const leftUnread = { columns: { Status: 'ignore' as const } };
const accountOf = (options: object) => ({
  intake: intakeOptionsSchema.parse(options),
  codeLists: specCodeLists,
});

test('what a column says that a person leaves unread is shown, and asked about when it is new', async () => {
  const first = await fileOf('first.csv', 'Open', 'Open');
  const account = accountOf({});
  const { unsaid } = await readSaid(account, first, leftUnread, []);
  expect(unsaid.map(({ header, values }) => [header, values.map(({ text }) => text)])).toEqual([
    ['Status', ['Open']],
  ]);

  const made = await layoutOfMapping(account, first, leftUnread);
  if (made.kind !== 'layout') throw new Error(made.message);
  const issues: RowIssue[] = [];
  const layout: Layout = {
    ...{ id: '1', name: 'usual', version: 1, kind: 'order', who: 'anna', via: 'console' },
    ...{ confirmedAt: new Date(), known: knownOf({ status: { open: 'seen' } }) },
    ...made.layout,
  };
  const outcome = await importPurchaseFile({
    ...(await fileOf('next.csv', 'Open', 'Cancelled')),
    options: account.intake,
    codeLists: specCodeLists,
    layouts: [layout],
    stage: { add: async (_, found) => void issues.push(...found) },
  });
  expect(outcome.kind).toBe('read');
  expect(
    issues.filter(({ code }) => code === 'question').map(({ poNumber, found }) => [poNumber, found]),
  ).toEqual([['P-1', 'Cancelled']]);
});

test('only what the configuration of the account ignores is not looked at', async () => {
  const file = await fileOf('ignored.csv', 'Open', 'Cancelled');
  expect((await readSaid(accountOf(leftUnread), file, {}, [])).unsaid).toEqual([]);
  expect((await readSaid(accountOf(leftUnread), file, leftUnread, [])).unsaid).toEqual([]);
});
