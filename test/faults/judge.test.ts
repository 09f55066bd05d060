import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { ordersByPo } from '../../src/service/read-audit.ts';
import { createTestDatabase } from '../support/database.ts';
import { judge, type Quantities, type Standing } from '../support/judge.ts';
import { startService } from '../support/run-system.ts';

const quantities: Quantities = { 'SKU-1': 2, 'SKU-2': 5 };
const ordered: Standing = { state: 'ordered', reasonCode: undefined, reasonText: undefined };
const clean = { lost: [], double: [], wrong: [], held: {}, refused: {} };

/** The judge is only worth something if it finds what is planted. */
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
  const judged = async (po: string, standing: Standing | undefined) => {
    const orders = (await ordersByPo(service.pool)).get(po);
    return judge(
      new Map([[po, quantities]]),
      new Map(orders ? [[po, orders]] : []),
      new Map(standing ? [[po, standing]] : []),
    );
  };

  it('finds nothing wrong with one order of the right quantities', async () => {
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

  it('finds an order that nobody asked for', async () => {
    await place('unasked');
    const verdict = judge(new Map(), await ordersByPo(service.pool), new Map());
    expect(verdict.wrong).toContain('unasked: ordered, but nobody asked for it');
  });

  it('finds an order that we deny', async () => {
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
  ] as [string, Standing | undefined][])('finds a lost PO: one that %s', async (_, standing) => {
    expect((await judged('absent', standing)).lost).toHaveLength(1);
  });

  it('counts a clearly held PO by its reason', async () => {
    const held = { state: 'held', reasonCode: 'submission_unknown', reasonText: 'It is not known.' };
    expect((await judged('absent', held)).held).toEqual({ submission_unknown: ['absent'] });
  });
});
