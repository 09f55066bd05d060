import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { heldOf, judge, type Quantities, readLedgerPos } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import { isWhole } from '../support/whole-proof.ts';
import { type Dump, dumpLedger, restoreLedger } from './dump.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

describe('a ledger restored from an older backup', () => {
  let served: Database;
  let service: ListeningService;
  const ledgers: Database[] = [];
  const systems: System[] = [];

  beforeEach(async () => {
    served = await createTestDatabase();
    service = await startService(served.url, { latencyMs: 10 });
  });
  afterEach(async () => {
    for (const system of systems.splice(0).reverse()) await system.stop();
    await service.stop();
    for (const database of [served, ...ledgers.splice(0)]) await database.drop();
  });

  const open = async (dump: Dump | undefined, folder?: string): Promise<{ system: System; url: string }> => {
    const ledger = await createTestDatabase();
    ledgers.push(ledger);
    if (dump) await restoreLedger(ledger.url, dump);
    const system = await createSystem({
      ledgerUrl: ledger.url,
      ...(folder === undefined ? {} : { folder }),
      accounts: {
        default: {
          baseUrl: service.url,
          requestTimeout: '800ms',

          schedule: { poll: '1s' },
        },
      },
      worker: {
        leaseMs: 3_000,
        sweepEveryMs: 500,
        placesAtOnce: 4,
      },
    });
    systems.push(system);
    return { system, url: ledger.url };
  };
  const ordered = async (system: System): Promise<number> =>
    (
      await system.ledger.query(
        `select count(*)::int as n from purchase_orders where state in ('ordered', 'closed')`,
      )
    ).rows[0].n;
  const verdictOf = async (system: System, asked: Map<string, Quantities>) =>
    judge(asked, await ordersByPo(service.pool), await readLedgerPos(system.ledger, 'default'));

  it.each(isWhole ? [0.1, 0.5, 0.9] : [0.5])(
    'orders nothing twice and loses nothing: dumped when %d of the POs were ordered',
    async (share) => {
      const asked = somePos('PO-', 60);
      const first = await open(undefined);
      const worker = await first.system.spawn();
      await first.system.drop('default', 'orders.csv', fileOf(asked));
      await until(async () => (await ordered(first.system)) >= asked.size * share, { everyMs: 20 });
      const dump = await dumpLedger(first.url);
      await first.system.settled(1);
      await worker.kill();

      const second = await open(dump, first.system.folder);
      await second.system.spawn();
      await second.system.settled(1);
      const verdict = await verdictOf(second.system, asked);
      expect(verdict).toMatchObject({ asked: 60, lost: [], double: [], wrong: [], refused: {} });
      // The service has orders that the dump does not contain; each is either recognised as ours or held for a person.
      expect(Object.keys(verdict.held).filter((reason) => reason !== 'already_ordered')).toEqual([]);
      expect(verdict.ordered + heldOf(verdict)).toBe(60);
    },
    200_000,
  );

  it('imports files in done and working that the backup does not contain again, and orders nothing twice', async () => {
    const known = somePos('KNOWN-', 5);
    const later = somePos('LATER-', 20);
    const last = somePos('LAST-', 5);
    const first = await open(undefined);
    const worker = await first.system.spawn();
    await first.system.drop('default', 'known.csv', fileOf(known));
    await first.system.settled(1);
    const dump = await dumpLedger(first.url);
    await first.system.drop('default', 'later.csv', fileOf(later));
    await first.system.settled(2);
    await worker.end();
    // A file that was taken but not read is in working/.
    const stopped = await first.system.spawn({
      stops: { 'last.csv': { at: 'staging', nth: 1, how: 'wait' } },
    });
    await first.system.drop('default', 'last.csv', fileOf(last));
    await stopped.stoppedAt(1);
    await stopped.kill();

    const second = await open(dump, first.system.folder);
    const { runtime, stop } = await second.system.work();
    // The sweep leaves a file in working/ alone for a minute, because another process may still import it.
    await runtime.accounts.get('default').claims.recoverWorking();
    await second.system.settled(3);
    const asked = new Map([...known, ...later, ...last]);
    const verdict = await verdictOf(second.system, asked);
    expect(verdict).toMatchObject({ asked: 30, lost: [], double: [], wrong: [], refused: {} });
    expect(verdict.held).toEqual({ restored_file: [...later.keys()] });

    // After a release, each PO is looked up at the service before anything is sent.
    const { pool } = runtime.ledger;
    const held = await findActionTargets(pool, 'release', { reasonCode: 'restored_file' });
    await applyOperatorAction(pool, 'release', held, { who: 'Ann' });
    await second.system.settled(3);
    const released = await verdictOf(second.system, asked);
    expect(released).toMatchObject({ asked: 30, lost: [], double: [], wrong: [], refused: {} });
    expect(released.held).toEqual({ already_ordered: [...later.keys()] });
    await stop();
  }, 200_000);

  it('never turns a quote into an order, whenever it was dumped, and orders what was also ordered once', async () => {
    const both = somePos('BOTH-', 6);
    const quoted = somePos('QUOTED-', 6);
    const first = await open(undefined);
    const work = await first.system.work();
    const { claims } = work.runtime.accounts.get('default');
    const outside = join(first.system.folder, 'mine');
    await mkdir(outside);
    const quote = async (name: string, pos: typeof both) => {
      await writeFile(join(outside, name), fileOf(pos));
      await claims.claimCopy(join(outside, name), { quoteOnly: true });
    };
    const dumps = [await dumpLedger(first.url)];
    await quote('both.csv', both);
    await quote('quoted.csv', quoted);
    dumps.push(await dumpLedger(first.url));
    await first.system.settled(2);
    await first.system.drop('default', 'both.csv', fileOf(both));
    await first.system.settled(3);
    dumps.push(await dumpLedger(first.url));
    // Killed while this file is being claimed: its claim is in working/.
    await work.stop();
    await claims.claimCopy(join(outside, 'quoted.csv'), { quoteOnly: true }).catch(() => {});

    for (const dump of dumps) {
      const next = await open(dump, first.system.folder);
      const { runtime, stop } = await next.system.work();
      // Runs the sweep's work to completion.
      const { claims: found } = runtime.accounts.get('default');
      await found.recoverWorking();
      await found.importUnknownFiles();
      const { pool } = runtime.ledger;
      await next.system.settled(1);
      const held = await findActionTargets(pool, 'release', { reasonCode: 'restored_file' });
      await applyOperatorAction(pool, 'release', held, { who: 'Ann' });
      await next.system.settled(1);
      const orders = await ordersByPo(service.pool);
      expect([...orders.keys()].sort()).toEqual([...both.keys()].sort());
      const verdict = await verdictOf(next.system, both);
      expect(verdict).toMatchObject({ asked: 6, double: [], wrong: [] });
      await stop();
    }
  }, 200_000);
});
