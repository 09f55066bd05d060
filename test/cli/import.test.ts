import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { startService } from '../support/run-system.ts';
import { runCli, startCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const shop = useCliFolder();
let service: ListeningService;
let env: Record<string, string>;

const cli = (...args: string[]) => runCli(args, { cwd: shop.folder, env });
const write = async (name: string, rows: string[]): Promise<string> => {
  await shop.write(name, `po_number,item_sku,quantity,expected_price\n${rows.join('\n')}\n`);
  return name;
};
const orderedAt = async (poNumber: string): Promise<Record<string, number> | undefined> => {
  const answer = await fetch(`${service.url}/orders/${encodeURIComponent(poNumber)}`);
  if (answer.status === 404) return undefined;
  const { order_details } = (await answer.json()) as {
    order_details: { items: { sku: string; order_quantity: number }[] }[];
  };
  const quantities: Record<string, number> = {};
  for (const { sku, order_quantity } of order_details.flatMap(({ items }) => items)) {
    quantities[sku] = (quantities[sku] ?? 0) + order_quantity;
  }
  return quantities;
};

beforeAll(async () => {
  service = await startService(shop.databaseUrl);
  env = { DATABASE_URL: shop.databaseUrl, CARTWRIGHT_BASE_URL: service.url };
});
afterAll(async () => {
  await service.stop();
});

test('--dry-run shows what would be ordered and every issue, saves nothing and sends nothing', async () => {
  const file = await write('dry.csv', ['DRY-1,SKU-1,2,', 'DRY-2,SKU-2,none,']);
  const ended = await cli('import', '--dry-run', file);
  expect(ended.exitCode).toBe(1);
  expect(ended.out).toMatch(/DRY-1 .* would be ordered/);
  expect(ended.out).toMatch(/3 +DRY-2 +quantity +none +Quantity must be a whole number/);
  expect(ended.out).toContain('1 PO would be ordered, 1 rejected');
  expect(await orderedAt('DRY-1')).toBeUndefined();
  const status = JSON.parse((await cli('status', '--json')).out);
  expect(status.error.code, 'not even a ledger was kept').toBe('ledger_missing');
});

test('--dry-run shows quantities, sums and the largest lines, and what it cannot know', async () => {
  const long = 'PO-2026-11-22-with-a-long-number-of-the-dealer';
  const file = await write('large.csv', [
    `${long},A-SKU-OF-THIRTY-CHARACTERS-OR-MORE,31201,766.45`,
    'L-2,SKU-2,12,',
    'L-3,SKU-3,0,1',
  ]);
  const { out } = await cli('import', '--dry-run', file);
  expect(out).toMatch(/L-2 +3 +1 +12 +would be ordered/);
  expect(out).toMatch(/PO-2026-11-22-with-a-\S+ +2 +A-SKU-OF-\S+ +31,201 +766\.45 +23,914,006\.45/);
  expect(out.replace(/\s+/g, ' ')).toContain(
    "Would be ordered: 2 lines, 31,213 pieces, 23,914,006.45 at the file's prices (known for 1 of them).",
  );
  expect(out.replace(/\s+/g, ' ')).toContain('may still refuse or change it. After its answer, a guard');
});

test('--dry-run shows what the guards of the account will hold', async () => {
  const file = await write('dear.csv', ['DEAR-1,SKU-1,1000,84.00', 'FINE-1,SKU-1,1,84.00']);
  await shop.write('guards.yaml', 'accounts: { default: { guards: { orderTotal: 50000 } } }\n');
  const ended = await cli('import', '--config', 'guards.yaml', '--dry-run', file);
  const out = ended.out.replace(/\s+/g, ' ');
  expect(out).toMatch(/DEAR-1 2 1 1,000 would be held The lines add up to 84000\.00 at the prices/);
  expect(out).toContain(
    '1 PO would be ordered, 0 rejected, 0 conflict with an earlier file, 1 would be held',
  );
  expect(out).toContain('the lines add up to more than 50000.00 at the prices of the service');
  expect(ended.exitCode).toBe(1);
});

test('--wait orders what the file requests, and names the result file', async () => {
  const file = await write('good.csv', ['W-1,SKU-1,2,', 'W-2,SKU-2,3,', 'W-1,SKU-3,5,']);
  const ended = await cli('import', '--wait', file);
  expect(ended.err).toBe('');
  expect(ended.exitCode).toBe(0);
  expect(ended.out).toMatch(/good\.csv +3 +2 +0 +0 +0 +0/);
  expect(await orderedAt('W-1')).toEqual({ 'SKU-1': 2, 'SKU-3': 5 });
  expect(await orderedAt('W-2')).toEqual({ 'SKU-2': 3 });

  const result = /^Result file of import \d+: (.+)$/m.exec(ended.out)?.[1];
  expect(result, 'the path of the result file').toBeDefined();
  expect(await readFile(result!, 'utf8')).toContain('W-2');
  expect(await readdir(shop.folder), 'the file stays where it is').toContain(file);
});

test('importing the same file again orders nothing and exits with success', async () => {
  const ended = await cli('import', '--wait', 'good.csv');
  expect(ended.exitCode).toBe(0);
  expect(ended.out).toContain('Nothing was ordered again');
  expect(await orderedAt('W-1')).toEqual({ 'SKU-1': 2, 'SKU-3': 5 });
});

test('a rejected PO is named with its reason, the others are ordered, and the exit code shows it', async () => {
  const file = await write('mixed.csv', ['M-1,SKU-1,1,', 'M-2,SKU-1,-4,']);
  const ended = await cli('import', '--wait', file);
  expect(ended.exitCode).toBe(1);
  expect(ended.out).toMatch(/rejected +M-2 \(row 3\)\n +row 3, quantity "-4": /);
  expect(await orderedAt('M-1')).toEqual({ 'SKU-1': 1 });
  expect(await orderedAt('M-2')).toBeUndefined();
});

test('a held PO is ordered after a person has released it, with the person and the note in its history', async () => {
  const file = await write('held.csv', ['H-1,SKU-1,1,0.01']);
  const ended = await cli('import', '--wait', '--json', file);
  expect(ended.exitCode).toBe(1);
  expect(JSON.parse(ended.out).notOrdered).toMatchObject([{ poNumber: 'H-1', state: 'held' }]);

  const unasked = await cli('release', 'H-1');
  expect(unasked.exitCode).toBe(2);
  expect(unasked.err).toContain('--yes');

  const released = await cli('release', 'H-1', '--yes', '--note', 'the dealer agrees');
  expect(released.err).toBe('');
  expect(released.exitCode).toBe(0);
  expect(await orderedAt('H-1')).toBeUndefined();

  const worker = startCli(['work'], { cwd: shop.folder, env });
  await worker.printed('Working.');
  await expect.poll(() => orderedAt('H-1'), { timeout: 30_000 }).toEqual({ 'SKU-1': 1 });
  worker.child.kill('SIGTERM');
  expect((await worker.ended).exitCode).toBe(0);

  const history = (await cli('status', 'H-1')).out;
  expect(history).toMatch(/H-1 +ordered/);
  expect(history).toMatch(/Released by \S+ +the dealer agrees/);
});

test('without --wait a file is only taken; `up` orders it and the files in the inbox', async () => {
  const file = await write('later.csv', ['L-1,SKU-1,1,']);
  const taken = await cli('import', file);
  expect(taken.exitCode).toBe(0);
  expect(taken.out).toContain('No worker is running');
  expect(await orderedAt('L-1')).toBeUndefined();

  await shop.write(
    'up.yaml',
    'dataFolder: cartwright-data\nconsole: { port: 0 }\naccounts: { default: { fileSettle: 100ms } }\n',
  );
  const up = startCli(['up', '--config', 'up.yaml'], { cwd: shop.folder, env });
  await up.printed('Console: http://127.0.0.1:');
  const inbox = join(shop.folder, 'cartwright-data/accounts/default/inbox');
  await write('cartwright-data/accounts/default/inbox/dropped.csv', ['L-2,SKU-2,2,']);
  await expect.poll(() => orderedAt('L-1'), { timeout: 30_000 }).toEqual({ 'SKU-1': 1 });
  await expect.poll(() => orderedAt('L-2'), { timeout: 30_000 }).toEqual({ 'SKU-2': 2 });
  expect(await readdir(inbox)).toEqual([]);
  up.child.kill('SIGINT');
  const ended = await up.ended;
  expect(ended.exitCode).toBe(0);
  expect(ended.err).toContain('Shutting down');
});

test('a quote records prices and orders nothing', async () => {
  const file = await write('quote.csv', ['Q-1,SKU-1,4,']);
  const ended = await cli('import', '--wait', '--quote', file);
  expect(ended.exitCode).toBe(0);
  expect(await orderedAt('Q-1')).toBeUndefined();
  const [po] = JSON.parse((await cli('status', 'Q-1', '--json')).out).purchaseOrders;
  expect(Number(po.lines[0].price)).toBeGreaterThan(0);
});

test('with a quote before or after an order, the order is placed once and the quote never', async () => {
  const file = await write('quoted.csv', ['QO-1,SKU-1,4,', 'QO-2,SKU-2,5,']);
  // Taken but not processed: the order arrives while the quote is in progress.
  expect((await cli('import', '--quote', file)).exitCode).toBe(0);
  const order = await cli('import', '--wait', file);
  expect(order.err).toBe('');
  expect(order.exitCode).toBe(0);
  expect(order.out).toMatch(/quoted\.csv +2 +2 +0 +0 +0 +0/);
  expect([await orderedAt('QO-1'), await orderedAt('QO-2')]).toEqual([{ 'SKU-1': 4 }, { 'SKU-2': 5 }]);

  const late = await cli('import', '--wait', '--quote', file);
  expect(late.exitCode, 'no prices were asked').toBe(1);
  expect(late.out).toContain('already ordered or being ordered');
  expect((await cli('import', '--wait', file)).exitCode).toBe(0);
  expect([await orderedAt('QO-1'), await orderedAt('QO-2')]).toEqual([{ 'SKU-1': 4 }, { 'SKU-2': 5 }]);
});

test('a cancelled PO that is sent again is held instead of ignored, and a person can order it', async () => {
  const file = await write('again.csv', ['AG-1,SKU-1,3,0.01']);
  expect((await cli('import', '--wait', file)).exitCode).toBe(1);
  await cli('cancel', 'AG-1', '--yes');
  const worker = startCli(['work'], { cwd: shop.folder, env });
  const stateOf = async () =>
    JSON.parse((await cli('status', 'AG-1', '--json')).out).purchaseOrders.map(
      ({ state, reasonCode }: { state: string; reasonCode: string }) => `${state} ${reasonCode}`,
    );
  await expect.poll(stateOf, { timeout: 30_000 }).toEqual(['cancelled cancelled']);

  const retried = await cli('retry', 'AG-1', '--yes');
  expect(retried.exitCode).toBe(1);
  expect(retried.out).toContain('PO AG-1 stays as it is: it is cancelled;');
  expect(retried.out).toContain('import its file again');

  const again = await cli('import', '--wait', file);
  expect(again.exitCode).toBe(1);
  expect(again.out).toMatch(/held +AG-1 \(row 2\): .* and cancelled\. Release it/);
  expect(await orderedAt('AG-1')).toBeUndefined();
  await cli('release', '--reason', 'was_cancelled', '--yes');
  // The same guard holds it again.
  await expect.poll(stateOf, { timeout: 30_000 }).toEqual(['cancelled cancelled', 'held price_above']);
  await cli('release', 'AG-1', '--yes');
  await expect.poll(() => orderedAt('AG-1'), { timeout: 30_000 }).toEqual({ 'SKU-1': 3 });
  worker.child.kill('SIGTERM');
  await worker.ended;
});

test('rejected POs that were corrected later no longer count as rejected, and are shown as corrected', async () => {
  const rejected = async () => {
    const [account] = JSON.parse((await cli('status', '--json')).out).accounts;
    return [account.states.rejected, account.corrected];
  };
  const [before, corrected] = await rejected();
  await cli('import', '--wait', await write('wrong.csv', ['C-1,SKU-1,x,', 'C-2,SKU-1,x,', 'C-3,SKU-1,x,']));
  expect(await rejected()).toEqual([before + 3, corrected]);
  await cli('import', '--wait', await write('right.csv', ['C-1,SKU-1,1,', 'C-2,SKU-1,2,']));
  expect(await rejected()).toEqual([before + 1, corrected + 2]);
  const { out } = await cli('status');
  expect(out).toMatch(/wrong\.csv +3 +0 +0 +0 +1 +0 +2 in other files \(2 ordered\)/);
  expect(out).toContain('corrected in a later file');
  expect((await cli('status', 'C-1')).out).toMatch(/corrected: Row 2, .* Corrected in import \d+ \(row 2\)/);
});

test('`poll` fetches statuses, and `report` writes them into the report', async () => {
  await service.clock.advance(60 * 3_600_000);
  const polled = await cli('poll');
  expect(polled.exitCode).toBe(0);
  expect(polled.out).toMatch(/default +\d+ POs checked, [1-9]\d* changes/);
  const reported = await cli('report');
  expect(reported.err).toBe('');
  expect(reported.exitCode).toBe(0);
  const reports = await readdir(join(shop.folder, 'cartwright-data/accounts/default/reports'));
  const csv = reports.find((name) => name === 'status-default-latest.csv');
  const text = await readFile(join(shop.folder, 'cartwright-data/accounts/default/reports', csv!), 'utf8');
  expect(text).toContain('W-1');
  expect(text).toContain('Invoiced');
});

describe('a price guard that can never act', () => {
  const warning =
    /No expected prices were read from this file, so the price guard \(guards\.abovePercent\) cannot hold/;
  const guarded = (...args: string[]) => cli(...args, '--config', 'guarded.yaml');
  const settings = { accounts: { default: { guards: { abovePercent: 5 } } } };
  const files: [string, string, boolean][] = [
    ['no column', 'po_number,item_sku,quantity\nPRICE-1,SKU-1,1\n', true],
    ['a blank column', 'po_number,item_sku,quantity,expected_price\nPRICE-1,SKU-1,1,\n', true],
    [
      'a price in one row',
      'po_number,item_sku,quantity,expected_price\nPRICE-1,SKU-1,1,\nPRICE-2,SKU-1,1,9999\n',
      false,
    ],
  ];

  test.each(files)('%s: the dry run warns', async (_, content, warns) => {
    await shop.write('guarded.yaml', JSON.stringify(settings));
    await shop.write('prices.csv', content);
    const ended = await guarded('import', '--dry-run', 'prices.csv');
    if (warns) expect(ended.out).toMatch(warning);
    else expect(ended.out).not.toMatch(warning);
    expect((await cli('import', '--dry-run', 'prices.csv')).out).not.toMatch(warning);
  });

  test('the warning names a column of prices that is not read, stands there once, and is no issue', async () => {
    await shop.write('guarded.yaml', JSON.stringify(settings));
    await shop.write('prices.csv', 'po_number,item_sku,quantity,Price,Brand\nPRICE-1,SKU-1,1,9.50,red\n');
    const { out } = await guarded('import', '--dry-run', 'prices.csv');
    const sentence = out.replace(/\s+/g, ' ');
    expect(sentence).toContain('"Price" is a column that the account does not read: map the one with');
    expect(sentence.split('No expected prices were read')).toHaveLength(2);
    expect(sentence).not.toContain('What is wrong');
  });

  test('the import warns in its output, in the log and in the result file', async () => {
    await shop.write('guarded.yaml', JSON.stringify(settings));
    await shop.write('prices.csv', files[0]![1].replace('PRICE-1', 'PRICE-3'));
    const ended = await guarded('import', '--wait', '--json', '--verbose', 'prices.csv');
    const [imported] = JSON.parse(ended.out).imports;
    expect(imported.warning).toMatch(warning);
    expect(ended.err).toMatch(warning);
    expect((await guarded('status')).out).toContain('No expected prices were read');
    const results = join(shop.folder, 'cartwright-data/accounts/default/results');
    const result = (await readdir(results)).find((name) => name.startsWith('prices.'))!;
    expect(await readFile(join(results, result), 'utf8')).toMatch(warning);
  });
});

test('a file that has just changed and lacks its last line end is refused, unless it is declared complete', async () => {
  await shop.write('cut.csv', 'po_number,item_sku,quantity\nCUT-1,A-1,1');
  const refused = await cli('import', '--wait', 'cut.csv');
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toContain('another program may still be writing it');
  expect(await orderedAt('CUT-1')).toBeUndefined();
  expect((await cli('import', '--wait', '--complete', 'cut.csv')).exitCode).toBe(0);
  expect(await orderedAt('CUT-1')).toEqual({ 'A-1': 1 });
});

test('a file that has not changed for long is imported without its last line end', async () => {
  const name = 'cut-old.csv';
  await shop.write(name, 'po_number,item_sku,quantity\nOLD-1,A-1,2');
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(shop.folder, name), hourAgo, hourAgo);
  expect((await cli('import', '--wait', name)).exitCode).toBe(0);
  expect(await orderedAt('OLD-1')).toEqual({ 'A-1': 2 });
});
