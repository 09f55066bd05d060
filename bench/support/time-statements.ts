import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { specCodeLists } from '../../src/contract/carts.ts';
import type { PoAnswer } from '../../src/dealer-api/answers.ts';
import { importPurchaseFile } from '../../src/intake/import-purchase-file.ts';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { readFigures } from '../../src/ledger/figures.ts';
import { latestImports } from '../../src/ledger/import-counts.ts';
import { createImportRegister, listTakenImports } from '../../src/ledger/imports.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { countWork, endLapsedLeases, listWork, reviveOverdue } from '../../src/ledger/po/due-work.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { listFinishedImports } from '../../src/ledger/po/result-due.ts';
import { fillWindow, findBacklogs } from '../../src/ledger/po/windows.ts';
import { stageImport } from '../../src/ledger/staging.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import type { BegunStep } from '../../src/placing/placing-ledger.ts';
import type { DueWork } from '../../src/placing/types.ts';
import { defaultIntakeOptions } from '../../test/support/default-intake-options.ts';
import { fileRows } from './scene.ts';

const posOfFile = 100;
const linesOfPo = 5;
const window = 32;
const polledPos = 500;
/** The status is read only in every fifth round, because it takes longer than everything else. */
const statusEvery = 5;

/** The 95th percentile for each kind of statement, in ms. */
export type Times = Record<string, number>;

interface Place {
  pool: pg.Pool;
  account: string;
  accounts: readonly string[];
  /** For purchase files. */
  folder: string;
}

type Timer = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const createTimer = () => {
  const taken = new Map<string, number[]>();
  const time: Timer = async (name, work) => {
    const startedAt = performance.now();
    const result = await work();
    const own = taken.get(name) ?? [];
    taken.set(name, own);
    own.push(performance.now() - startedAt);
    return result;
  };
  const p95 = (): Times =>
    Object.fromEntries(
      [...taken].map(([name, times]) => {
        const sorted = times.toSorted((a, b) => a - b);
        return [name, sorted[Math.ceil(sorted.length * 0.95) - 1]!];
      }),
    );
  return { time, p95 };
};

/** Registers and stages a new file; its POs wait in the backlog. */
const stageFile = async ({ pool, account, folder }: Place, time: Timer): Promise<void> => {
  const prefix = randomUUID().slice(0, 8);
  const path = `${folder}/${prefix}.csv`;
  await writeFile(path, fileRows(prefix, posOfFile, linesOfPo));
  const register = createImportRegister(pool);
  const file = { account, fileName: `${prefix}.csv`, sha256: prefix.repeat(8), sizeBytes: 1 };
  const { importId } = await time('a new file: registering it', () =>
    register.register(
      { ...file, filePath: `files/${prefix}.csv`, quoteOnly: false, restored: false },
      async () => true,
    ),
  );
  const options = defaultIntakeOptions;
  await time(`a new file: staging its ${posOfFile * linesOfPo} rows`, () =>
    stageImport(pool, importId, (stage) =>
      importPurchaseFile({ path, fileName: file.fileName, options, codeLists: specCodeLists, stage }),
    ),
  );
};

/** Advances POs from the backlog to their orders, in the ledger alone. `due`: POs that have a job; updated at the end. */
const placePos = async (
  { pool, account, accounts }: Place,
  due: DueWork[],
  count: number,
  time: Timer,
): Promise<string[]> => {
  const ledger = createPlacingLedger(pool, () => window);
  const owner = randomUUID();
  const states = ['ready', 'cart_created', 'items_added'] as const;
  const options = { owner, accounts, states, leaseMs: 60_000, graceMs: 10_000 };
  due.push(...(await time('placing: filling the window', () => fillWindow(pool, account, window))));
  const placed: string[] = [];
  while (placed.length < count) {
    const work = due.shift();
    if (!work) throw new Error('The backlog is empty.');
    const taken = await time('placing: the lease of a PO', () => ledger.take(work.id, options));
    if (taken.kind !== 'taken') throw new Error(`${work.poNumber} was not taken: ${taken.kind}`);
    let { po } = taken;
    const same = { epoch: 'same', waitMs: 0 } as const;
    const create = begunOf(
      await time('placing: an intent', () => ledger.beginStep(po, owner, 'create_cart', { baseline: [] })),
    );
    const created = { ...same, state: 'cart_created', cart: { number: `C${work.id}` } } as const;
    const done = (intentId: string) => ({ intentId, outcome: 'done' }) as const;
    const adding = await time('placing: an outcome and the next intent', () =>
      ledger.transitionKeepingLease(create.po, owner, created, done(create.intentId), { step: 'add_items' }),
    );
    const added = { ...same, state: 'items_added' } as const;
    const kept = await time('placing: an outcome', () =>
      ledger.transitionKeepingLease(adding!.po, owner, added, done(adding!.intentId!)),
    );
    po = kept!.po;
    const begun = begunOf(
      await time('placing: an intent', () =>
        ledger.beginStep(po, owner, 'submit_order', { state: 'submitting' }),
      ),
    );
    const ordered = { ...same, state: 'ordered', orderNumber: `SO-${work.id}` } as const;
    const released = await time('placing: the order, and which PO is next', () =>
      ledger.transition(begun.po, owner, ordered, { intentId: begun.intentId, outcome: 'done' }),
    );
    placed.push(work.poNumber);
    due.push(...released!.next);
  }
  return placed;
};

const answerOf = (poNumber: string, status: string): PoAnswer => ({
  poNumber,
  shipName: 'Elm Street Parts',
  shipAddress: '1 Elm Street',
  shipCity: 'Boise',
  shipState: 'ID',
  shipZip: '83702',
  orders: [
    {
      orderNumber: `SO-of-${poNumber}`,
      orderStatus: status,
      invoiceNumber: undefined,
      freight: '12.5',
      miscCharges: '0',
      orderTotal: '100',
      warehouse: 'ID',
      orderDate: '2026-11-01',
      shipDate: undefined,
      invoiceDate: undefined,
      shipVia: 'UPS',
      trackingNumbers: [],
      lines: [],
      items: [{ sku: 'SKU-1', order_quantity: 5 }],
    },
  ],
});

/** One poll of the account in the ledger alone: its first query, and its writes about these POs. */
const pollOnce = async (
  { pool, account }: Place,
  pos: readonly string[],
  status: string,
  time: Timer,
): Promise<void> => {
  const ledger = createTrackingLedger(pool);
  const today = Math.floor(Date.now() / 86_400_000);
  await time('poll: what to ask for', () => ledger.readPollFacts(account));
  const { seenIds } = await time('poll: recording what it showed', () =>
    ledger.recordOrders(
      account,
      pos.map((poNumber) => answerOf(poNumber, status)),
    ),
  );
  const unchecked = await time('poll: what to compare with its file', () =>
    ledger.listUnchecked(account, pos),
  );
  await ledger.markChecked(unchecked.map(({ id }) => ({ id, alarm: undefined, unreadable: false })));
  const unseen = {
    seenIds,
    submittedBefore: new Date(Date.now() - 86_400_000),
    ages: [{ first: today - 30, last: today, lookedUpBefore: undefined }],
    overdueMs: 86_400_000,
    limit: 50,
  };
  await time('poll: what it did not show', async () => {
    await ledger.takeUnseen(account, unseen);
    await ledger.markNeverSeen(account, {
      since: new Date(Date.now() - 86_400_000),
      forMs: 86_400_000,
      alarm: 'never seen',
    });
  });
  await time('poll: closing what is over', () =>
    ledger.closeFinished(account, ['Invoiced'], 90 * 86_400_000),
  );
};

/** Asserts that a step began: nothing prevents one in this ledger. */
const begunOf = (begun: BegunStep) => {
  if (begun.kind !== 'begun') throw new Error(`A step did not begin: ${begun.kind}.`);
  return begun;
};

const sweepOnce = async ({ pool, accounts }: Place, time: Timer): Promise<void> => {
  const page = { after: { importId: '0', id: '0' }, limit: 500 };
  await time('sweep: all of its questions', async () => {
    await countWork(pool, accounts);
    await endLapsedLeases(pool, { graceMs: 10_000, limit: 500 }, accounts);
    await listWork(pool, page, accounts);
    await reviveOverdue(pool, page, accounts);
    await findBacklogs(pool, accounts);
    await listTakenImports(pool, 500, accounts);
    await listFinishedImports(pool, 500, accounts);
  });
};

const showStatus = async (
  { pool, accounts, account }: Place,
  poNumber: string,
  time: Timer,
): Promise<void> => {
  await time('status: one account', () => readOverview(pool, [account]));
  await time('status: all accounts', () => readOverview(pool, accounts));
  await time('status: the latest imports', () => latestImports(pool, { account, limit: 10 }));
  await time('status: one PO', () => readPurchaseOrdersNamed(pool, poNumber));
  await time('metrics: reading all figures', () => readFigures(pool));
};

/**
 * Times the statements that a running Cartwright sends most often, each many times, with little open work in an account.
 * Closes the POs that it adds at the end.
 */
export const timeStatements = async (place: Place, rounds: number): Promise<Times> => {
  // A warm-up of Postgres and Node, which is not measured.
  const warming = createTimer();
  const measured = createTimer();
  const due: DueWork[] = [];
  let ordered: string[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const { time } = round < 0 ? warming : measured;
    await stageFile(place, time);
    const placed = await placePos(place, due, 20, time);
    ordered = [...ordered, ...placed].slice(-polledPos);
    await sweepOnce(place, time);
    await pollOnce(place, ordered, round % 2 === 0 ? 'Picking' : 'Shipped', time);
    if (round % statusEvery === 0) await showStatus(place, placed[0]!, time);
  }
  // The next measurement must begin with as little open work.
  await place.pool.query(
    `update purchase_orders set state = 'closed', dispatch = 'backlog', lease_owner = null where account = $1 and state <> 'closed'`,
    [place.account],
  );
  return measured.p95();
};
