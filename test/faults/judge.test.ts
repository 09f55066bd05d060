import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  judge,
  judgeGrown,
  judgeUndisturbed,
  judgeWaiting,
  type LedgerPo,
  type Quantities,
  readLedgerPos,
} from '../support/judge.ts';
import { type JudgedOrder, ordersByPo } from '../support/read-audit.ts';
import { startService } from '../support/run-system.ts';

const quantities: Quantities = { 'SKU-1': 2, 'SKU-2': 5 };
const ordered: LedgerPo = { state: 'ordered', reasonCode: undefined, reasonText: undefined };
const clean = { lost: [], double: [], wrong: [], held: {}, refused: {} };

/** The judge proves something only if it finds planted errors. */
describe('the judge', () => {
  let served: Awaited<ReturnType<typeof createTestDatabase>>;
  let service: ListeningService;
  beforeAll(async () => {
    served = await createTestDatabase();
    service = await startService(served.url, { poReuse: 'allowed' });
  });
  afterAll(async () => {
    await service.stop();
    await served.drop();
  });

  const send = async (path: string, body: object) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };
  const place = async (po: string, lines: Quantities = quantities) => {
    await send('/carts', { po_number: po });
    for (const [sku, quantity] of Object.entries(lines)) {
      await send(`/carts/${po}/items`, { item_sku: sku, quantity });
    }
    await send('/orders', { po_number: po });
  };
  const judged = async (po: string, ledgerPo: LedgerPo | undefined) => {
    const orders = (await ordersByPo(service.pool)).get(po);
    return judge(
      new Map([[po, quantities]]),
      new Map(orders ? [[po, orders]] : []),
      new Map(ledgerPo ? [[po, ledgerPo]] : []),
    );
  };

  it('finds nothing wrong with one order with the right quantities', async () => {
    await place('good');
    expect(await judged('good', ordered)).toEqual({ asked: 1, ordered: 1, ...clean });
  });

  it('finds a second order', async () => {
    await place('twice');
    await place('twice');
    expect((await judged('twice', ordered)).double).toHaveLength(1);
  });

  it.each([
    ['a unit too many', { 'SKU-1': 3, 'SKU-2': 5 }],
    ['a unit too few', { 'SKU-1': 2, 'SKU-2': 4 }],
    ['a line missing', { 'SKU-1': 2 }],
    ['another line', { ...quantities, 'SKU-3': 1 }],
  ] as [string, Quantities][])('finds wrong quantities: %s', async (name, lines) => {
    const po = name.replaceAll(' ', '-');
    await place(po, lines);
    expect((await judged(po, ordered)).wrong).toHaveLength(1);
  });

  it('reports an order that no file requested', async () => {
    await place('unasked');
    const verdict = judge(new Map(), await ordersByPo(service.pool), new Map());
    expect(verdict.wrong).toContain('unasked: ordered, but not requested');
  });

  it('finds an order of a PO that the ledger shows as failed', async () => {
    await place('denied');
    const failed = { state: 'failed', reasonCode: 'refused_by_service', reasonText: 'It says so.' };
    expect((await judged('denied', failed)).wrong).toHaveLength(1);
  });

  it.each([
    ['nobody knows of', undefined],
    ['is said to be ordered', ordered],
    ['still moves', { ...ordered, state: 'verifying' }],
    ['is held without a reason', { ...ordered, state: 'held' }],
    ['failed without a reason', { ...ordered, state: 'failed' }],
  ] as [string, LedgerPo | undefined][])('finds a lost PO: one that %s', async (_, ledgerPo) => {
    expect((await judged('absent', ledgerPo)).lost).toHaveLength(1);
  });

  it('counts a clearly held PO by its reason', async () => {
    const held = { state: 'held', reasonCode: 'submission_unknown', reasonText: 'It is not known.' };
    expect((await judged('absent', held)).held).toEqual({ submission_unknown: ['absent'] });
  });

  describe('for a file that grew after it had been picked up', () => {
    const file = {
      whole: new Map([
        ['grown', quantities],
        ['tail', { 'SKU-1': 1 }],
      ]),
      before: new Map([['grown', { 'SKU-1': 2 }]]),
    };
    const held: LedgerPo = { state: 'held', reasonCode: 'file_grew', reasonText: 'It grew.' };
    const alarmed: LedgerPo = { ...ordered, alarm: 'Rows may be missing.' };
    const judgedFile = async (
      lines: Record<string, Quantities[]>,
      ledgerPos: Record<string, LedgerPo>,
      isMarked = true,
    ) => {
      const served = new Map<string, JudgedOrder[]>();
      for (const [po, all] of Object.entries(lines)) {
        served.set(
          po,
          all.map((quantities, at) => ({
            orderNumber: `${po} ${at}`,
            cartNumber: `${po} ${at}`,
            submission: `${po} ${at}`,
            quantities,
          })),
        );
      }
      return judgeGrown(file, served, new Map(Object.entries(ledgerPos)), isMarked);
    };

    it.each([
      ['all is held, and the rest is not known', {}, { grown: held }, true],
      ['what was there is ordered with an alarm', { grown: [{ 'SKU-1': 2 }] }, { grown: alarmed }, true],
      [
        'the whole file was picked up',
        { grown: [quantities], tail: [{ 'SKU-1': 1 }] },
        { grown: ordered, tail: ordered },
        false,
      ],
    ] as [string, Record<string, Quantities[]>, Record<string, LedgerPo>, boolean][])(
      'finds nothing wrong where %s',
      async (_, lines, ledgerPos, isMarked) => {
        expect(await judgedFile(lines, ledgerPos, isMarked)).toEqual([]);
      },
    );

    it.each([
      ['ordered short without an alarm', { grown: [{ 'SKU-1': 2 }] }, { grown: ordered }, true],
      ['ordered with other quantities', { grown: [{ 'SKU-1': 1 }] }, { grown: alarmed }, true],
      ['ordered twice', { grown: [quantities, quantities] }, { grown: alarmed }, true],
      ['not ordered and not explained', {}, { grown: ordered }, true],
      [
        'ordered, but recorded as failed',
        { grown: [quantities] },
        { grown: { ...held, state: 'failed' } },
        true,
      ],
      ['missing with the rest that nobody noticed', {}, { grown: held }, false],
    ] as [string, Record<string, Quantities[]>, Record<string, LedgerPo>, boolean][])(
      'finds a PO that is %s',
      async (_, lines, ledgerPos, isMarked) => {
        expect(await judgedFile(lines, ledgerPos, isMarked)).toHaveLength(1);
      },
    );
  });

  it('finds a held PO of an account without faults', async () => {
    await place('beside');
    expect(judgeUndisturbed(await judged('beside', ordered))).toEqual([]);
    const held = { state: 'held', reasonCode: 'submission_unknown', reasonText: 'It is not known.' };
    expect(judgeUndisturbed(await judged('absent', held))).toHaveLength(1);
  });

  it.each([
    ['is said to be ordered', ordered],
    ['has failed', { state: 'failed', reasonCode: 'refused_by_service', reasonText: 'No.' }],
    ['nobody knows of', undefined],
  ] as [string, LedgerPo | undefined][])('finds a PO without any service that %s', (_, ledgerPo) => {
    const asked = new Map([['waiting', quantities]]);
    expect(judgeWaiting(asked, new Map(ledgerPo ? [['waiting', ledgerPo]] : []))).toHaveLength(1);
    expect(judgeWaiting(asked, new Map([['waiting', { ...ordered, state: 'ready' }]]))).toEqual([]);
  });

  describe('for quotes', () => {
    let ledger: pg.Pool;
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    beforeAll(async () => {
      database = await createTestDatabase();
      ledger = createPool(database.url, { max: 1, logger: silentLogger });
      await migrateLedger(ledger);
      await ledger.query(
        `insert into imports (account, file_name, sha256, size_bytes, file_path)
         values ('a', 'orders', '', 0, ''), ('a', 'quotes', '', 0, '')`,
      );
    });
    afterAll(async () => {
      await ledger.end();
      await database.drop();
    });
    const note = (po: string, state: string, quoteOnly: boolean) =>
      ledger.query(
        `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state,
           reason_code, reason_text, quote_only) values ('a', $1, lower($1), $4, 2, 1, '', $2, 'quote_only', 'A quote.', $3)`,
        [po, state, quoteOnly, quoteOnly ? 2 : 1],
      );

    it('finds an order that was swallowed by the quote of its PO', async () => {
      await note('swallowed', 'cancelled', true);
      const ledgerPos = await readLedgerPos(ledger, 'a');
      expect(judge(new Map([['swallowed', quantities]]), new Map(), ledgerPos).lost).toHaveLength(1);
    });

    it('finds a quote that was ordered', async () => {
      await place('quoted');
      await note('quoted', 'ordered', true);
      const served = new Map([['quoted', (await ordersByPo(service.pool)).get('quoted')!]]);
      const verdict = judge(new Map(), served, await readLedgerPos(ledger, 'a'));
      expect(verdict.wrong).toEqual(['quoted: ordered, but not requested']);
    });

    it('ignores a quote when it judges the order of the same PO', async () => {
      await place('both');
      await note('both', 'ordered', false);
      await note('both', 'held', true);
      const ledgerPos = await readLedgerPos(ledger, 'a');
      const orders = (await ordersByPo(service.pool)).get('both')!;
      const verdict = judge(new Map([['both', quantities]]), new Map([['both', orders]]), ledgerPos);
      expect(verdict).toMatchObject({ ordered: 1, ...clean });
    });
  });
});
