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

const folder = await mkdtemp(join(tmpdir(), 'cartwright-remarks-'));
afterAll(() => rm(folder, { recursive: true }));

const account = { intake: intakeOptionsSchema.parse({}), codeLists: specCodeLists };

const fileOf = async (name: string, header: string, remarks: string[]) => {
  const path = join(folder, name);
  const rows = remarks.map((remark, at) => `P-${at},A-${at},2,${remark}\n`);
  await writeFile(path, `PO Number,SKU,Qty,${header}\n${rows.join('')}`);
  return { path, fileName: name };
};

const mappings = { Remark: 'note', Memo: 'comment1', Info: 'comment2', About: 'description' } as const;

test.each(Object.entries(mappings))(
  'a text in %s, read as the %s, that says not to order is asked about',
  async (header, field) => {
    const mapping = { columns: { [header]: field } };
    const first = await fileOf(`${header}-1.csv`, header, ['leave at the door', '', 'call first']);
    expect((await readSaid(account, first, mapping, [])).unsaid).toEqual([]);
    const made = await layoutOfMapping(account, first, mapping);
    if (made.kind !== 'layout') throw new Error(made.message);
    const read = async (known: Layout['known']) => {
      const issues: RowIssue[] = [];
      const outcome = await importPurchaseFile({
        ...(await fileOf(`${header}-2.csv`, header, [
          'ring twice',
          'CANCELLED',
          'Do not ship this',
          'cancelled',
          '',
        ])),
        options: account.intake,
        codeLists: specCodeLists,
        layouts: [
          {
            ...{ id: '1', name: 'usual', version: 1, kind: 'order', who: 'anna', via: 'console' },
            ...{ confirmedAt: new Date(), ...made.layout, known },
          },
        ],
        stage: { add: async (_, found) => void issues.push(...found) },
      });
      expect(outcome.kind).toBe('read');
      return issues.filter(({ code }) => code === 'question').map(({ poNumber, found }) => [poNumber, found]);
    };
    const column = header.toLowerCase();
    const asked = [
      ['P-1', 'CANCELLED'],
      ['P-2', 'Do not ship this'],
      ['P-3', 'cancelled'],
    ];
    expect(await read(knownOf({ [column]: { '': 'seen' } }))).toEqual(asked);
    // Also if every earlier row had such a text.
    expect(await read(knownOf({ [column]: { voided: 'order' } }))).toEqual(asked);
    expect(await read(knownOf({ [column]: { '': 'seen', cancelled: 'order' } }))).toEqual([asked[1]]);
  },
);

test('a first file with such a text waits until a person has looked at it', async () => {
  const file = await fileOf('first.csv', 'Remark', ['', 'CANCELLED']);
  const { unsaid } = await readSaid(account, file, { columns: { Remark: 'note' } }, []);
  expect(
    unsaid.map(({ header, values }) => [header, values.map(({ text }) => text).filter(Boolean)]),
  ).toEqual([['Remark', ['CANCELLED']]]);
});
