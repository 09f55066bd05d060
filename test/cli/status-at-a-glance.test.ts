import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { byUrgency, drawFirstNeeds } from '../../src/cli/output/needs.ts';
import { drawOverview, type ShownAccount, type ShownOverview } from '../../src/cli/output/overview.ts';
import { wrapWords } from '../../src/cli/output/show-text.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { beat } from '../../src/ledger/workers.ts';
import { silentLogger } from '../../src/logger.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useCliFolder } from './use-cli-folder.ts';

const screen = { columns: 80, rows: 24 };
const terminal = {
  ...screen,
  paint: (_: string, text: string) => text,
  wrap: (text: string, indent = 2) => wrapWords(text, screen.columns, indent),
};

const account = (name: string, over: Partial<ShownAccount> = {}): ShownAccount => ({
  account: name,
  ...{ states: { ordered: 12 }, heldFor: {}, orderStatuses: { Shipped: 12 } },
  ...{
    corrected: 0,
    notNeeded: 0,
    unread: 0,
    alarms: 0,
    alarmPo: null,
    unreadSince: undefined,
    pausedSince: undefined,
  },
  ...{ unknownFiles: [], stalled: [], fileTroubles: [], unreadDays: [], failingWebhooks: [] },
  ...{ paused: undefined, polledAt: new Date('2026-11-27T07:00:00Z'), pollNote: undefined },
  ...{ reportPath: undefined, readLagMs: undefined, itemsUnreadableSince: undefined },
  ...{ troubles: [], problems: [] },
  ...over,
});

const draw = (over: Partial<ShownOverview>): string =>
  drawOverview(terminal as never, {
    ...{ accounts: [], needs: [], progress: [], inbox: [], queueHolds: [], maintenance: [] },
    workers: [{ id: 'w', host: 'shop', pid: 7, startedAt: new Date(0), slots: 16 } as never],
    ...over,
  });

test('of 500 accounts the ones that need a person come first, and the quiet ones are one line', () => {
  const held = { code: 'held', account: 'dealer-400', message: 'dealer-400: 1 PO held. 1 as price_above: …' };
  const accounts = Array.from({ length: 500 }, (_, at) => account(`dealer-${at}`));
  accounts[400] = account('dealer-400', { problems: [held as never] });
  accounts[7] = account('dealer-7', { states: { ready: 84_500, ordered: 15_500 } });
  accounts[300] = account('dealer-300', { closed: 'schedule.open is 06:00-18:00 (UTC)' });
  const progress = {
    ...{ account: 'dealer-7', toGo: 84_500, all: 100_000, ended: 10_600 },
    since: new Date(Date.now() - 600_000),
  };
  const lines = draw({ accounts, needs: [held as never], progress: [progress] }).split('\n');
  expect(lines.length).toBeLessThanOrEqual(screen.rows);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
  expect(lines.slice(0, 3)).toEqual([
    '1 thing needs you:',
    `  ${held.message}`,
    'dealer-7: 84,500 of 100,000 POs to go, about 1 h 20 min',
  ]);
  const named = lines.flatMap((line) => /^dealer-\d+ /.exec(line)?.[0].trim() ?? []);
  expect(named).toEqual(['dealer-400', 'dealer-7', 'dealer-300']);
  expect(lines).toContain('497 accounts have nothing to do');
});

test('many problems do not push everything else off the screen', () => {
  const accounts = Array.from({ length: 50 }, (_, at) =>
    account(`dealer-${at}`, { problems: [{ code: 'held', message: '' }] as never }),
  );
  const needs = accounts.map((one) => ({ code: 'held', account: one.account, message: `${one.account}: …` }));
  const text = draw({ accounts, needs: needs as never });
  expect(text).toMatch(/^50 things need you:\n(?: {2}dealer-\d+: …\n){10} {2}and 40 more; --json/);
  expect(text).toContain('38 more accounts with something to do');
});

test('an account that never answered has no time of a last status check', () => {
  expect(draw({ accounts: [account('north', { polledAt: undefined })] })).toMatch(/^north .* never$/m);
});

test('what stops all orders comes first, unread files last, and the end of a long text repeats the first', () => {
  const codes = ['file_trouble', 'refused', 'held', 'disk_full', 'failed', 'no_worker'] as const;
  const needs = byUrgency(codes.map((code) => ({ code, message: `${code} ${'x'.repeat(100)}` })));
  expect(needs.map(({ code }) => code)).toEqual([
    'no_worker',
    'held',
    'failed',
    'refused',
    'disk_full',
    'file_trouble',
  ]);
  const lines = drawFirstNeeds(terminal as never, needs)
    .trim()
    .split('\n');
  expect(lines[0]).toBe('6 things need you, the most urgent of them (in full at the top):');
  expect(lines[1]).toMatch(/^ {2}no_worker x+…$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
});

const cli = useCliFolder();

test('status names what Today names: what was not ordered, refused files, and files in an inbox', async () => {
  await cli.write('cartwright.yaml', 'accounts: { north: {}, south: {} }\n');
  const pool: pg.Pool = createPool(cli.databaseUrl, { max: 2, logger: silentLogger });
  try {
    await migrateLedger(pool);
    await beat(pool, {
      ...{ id: '4be0643f-1d98-573b-97cd-ca98a65347dd', host: 'h', pid: 1, slots: 16, troubles: {} },
      ...{ places: ['north', 'south'], reads: ['north'] },
    });
    const file = await insertImport(pool, { account: 'north', file_name: 'week.csv' });
    await insertPurchaseOrder(pool, file, 'N-1', {
      ...{
        account: 'north',
        state: 'failed',
        reason_code: 'refused_by_service',
        reason_text: 'No such item.',
      },
    });
    await insertImport(pool, {
      ...{
        account: 'north',
        file_name: 'bad.csv',
        sha256: 'b',
        state: 'refused',
        reason_text: 'It is empty.',
      },
    });
    const inbox = (name: string) => join(cli.folder, 'cartwright-data', 'accounts', name, 'inbox');
    for (const name of ['north', 'south']) await mkdir(inbox(name), { recursive: true });
    const aMinuteAgo = new Date(Date.now() - 60_000);
    const drop = async (name: string, fileName: string, text: string) => {
      await writeFile(join(inbox(name), fileName), text);
      await utimes(join(inbox(name), fileName), aMinuteAgo, aMinuteAgo);
    };
    await drop('north', 'cut.csv', 'po_number,item_sku,quantity\nN-2,A,1');
    await drop('north', 'nothing.csv', '');
    await drop('south', 'one.csv', 'po_number,item_sku,quantity\nS-1,A,1\n');
    await drop('south', 'half.csv.part', 'po_number');
    await drop('south', 'gone.csv.done', '');
    await drop('south', 'one.csv.done', '');
    await drop('south', '.hidden', '');
    const { out } = await cli.run('status');
    expect(out).toMatch(/^\d things need you:\n/);
    expect(out).toMatch(/ {2}north: PO N-1 failed in week\.csv: .*`cartwright settle N-1 --import \d+`\.\n/);
    expect(out).toMatch(
      / {2}north: bad\.csv was refused: It is empty\. .*`cartwright settle --import \d+`\.\n/,
    );
    expect(out).toMatch(
      /\nnorth: cut\.csv: in the inbox and has no end, .* picked up at .* UTC, or when .*NAME\.done/,
    );
    expect(out).toMatch(/\nnorth: nothing\.csv: in the inbox and is empty, so it may still be uploading/);
    expect(out).toMatch(/\nsouth: one\.csv: in the inbox, and no running worker picks up files of south/);
    expect(out).toMatch(
      /\nsouth: half\.csv\.part: .* \.part means that it is still being uploaded\. It is picked up once/,
    );
    expect(out).toMatch(/\nsouth: gone\.csv\.done: in the inbox without the file that it marks as complete/);
    expect(out).not.toMatch(/south: one\.csv\.done|\.hidden/);
    const times = [...out.matchAll(/\d{2}:\d{2}(?: (\w+))?/g)].map(([, zone]) => zone);
    expect(new Set(times), 'one time zone, named').toEqual(new Set(['UTC']));
  } finally {
    await pool.end();
  }
});

test('cancelled POs, which are in no column of the table, are counted below it', () => {
  expect(draw({ accounts: [account('north', { states: { ordered: 2, cancelled: 3 } })] })).toContain(
    'north: 3 POs cancelled',
  );
});
