import { describe, expect, test } from 'vitest';
import { useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, ordersOf } = staging;

const header = 'po_number,item_sku,quantity,note,allow_backorder\n';
const file = `${header}A,S1,1,,\nA,S2,2,mine,\n`;

/** Constants that an account's configuration adds to a file. */
const constants = (note: string, more: object = {}) => ({ options: { constants: { note, ...more } } });

describe('a PO came before if the dealer’s file says the same, whatever the configuration adds', () => {
  test.each([
    ['a constant of its lines', constants('one'), constants('other')],
    ['a constant that is new', {}, constants('new')],
    ['a constant that is gone', constants('old'), {}],
    ['a default of the whole PO', constants('x', { ship_name: 'Ann' }), constants('x', { ship_name: 'Ben' })],
    ['whether blank means no', {}, { options: { blankMeansNo: ['allow_backorder'] } }],
  ])('%s', async (_, before, after) => {
    const account = newAccount();
    await stageText(account, file, before);
    const again = await stageText(account, `${file}B,S1,1,,\n`, after);
    expect(again.counts).toMatchObject({ ready: 1, repeated: 1, conflicting: 0 });
  });

  test('what the file says otherwise is a conflict still, also the same as a constant that was', async () => {
    const account = newAccount();
    await stageText(account, file, constants('one'));
    const changed = await stageText(account, file.replace('mine', 'yours'), constants('one'));
    expect(changed.counts).toMatchObject({ repeated: 0, conflicting: 1 });
    const explicit = await stageText(account, file.replace('1,,', '1,one,'), constants('one'));
    expect(explicit.counts).toMatchObject({ repeated: 0, conflicting: 1 });
  });

  test('a PO that an earlier version read is compared as it was then', async () => {
    const account = newAccount();
    const first = await stageText(account, file, constants('one'));
    await staging.pool.query('update purchase_orders set file_hash = null where import_id = $1', [
      first.importId,
    ]);
    expect((await stageText(account, file, constants('one'))).counts).toMatchObject({ repeated: 1 });
    expect((await stageText(account, file, constants('other'))).counts).toMatchObject({ conflicting: 1 });
  });
});

test('a PO that is given back has the options that its own file gave it', async () => {
  const account = newAccount();
  const first = await stageText(account, file, constants('x', { ship_name: 'Ann' }));
  const second = await stageText(account, `${file}B,S1,1,,\n`, constants('x', { ship_name: 'Ben' }));
  const { withdrawUnsent } = await import('../../src/ledger/console/reread-imports.ts');
  const client = await staging.pool.connect();
  await withdrawUnsent(client, first.importId).finally(() => client.release());
  const given = (await ordersOf(second.importId)).find(({ po_number }) => po_number === 'A');
  expect(given).toMatchObject({ state: 'ready', options: { ship_name: 'Ben' } });
});
