import { setTimeout as sleep } from 'node:timers/promises';
import { pauseByOperator, resumeByOperator } from '../../src/ledger/console/operator-pauses.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import type { JudgedOrder } from '../support/read-audit.ts';
import { faulty, type Scene } from './scene.ts';

/** A person who pauses and resumes accounts, holds and releases POs, and cancels some, at any moment. */
export interface Person {
  pause(): void;
  hold(): void;
  cancel(): void;
  /** POs that were cancelled, by account. They are judged by `judgeCancelled`. */
  cancelled: ReadonlyMap<string, ReadonlySet<string>>;
  /** Resolves when every pause is resumed and everything held is released. */
  settle(): Promise<void>;
}

const who = 'chaos';

export const createPerson = ({ system }: Scene, random: () => number): Person => {
  const pool = system.ledger;
  const cancelled = new Map<string, Set<string>>(faulty.map((name) => [name, new Set()]));
  const busy = new Set<Promise<void>>();
  const account = () => faulty[Math.floor(random() * faulty.length)]!;
  /** Retries like a person, because the database may be down at this moment. */
  const until = async (work: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 200; tries += 1) {
      if (await work().catch(() => false)) return;
      await sleep(200);
    }
  };
  const start = (work: () => Promise<void>): void => {
    const running = work();
    busy.add(running);
    void running.finally(() => busy.delete(running));
  };
  const some = async (action: 'hold' | 'cancel', name: string) => {
    const found = await findActionTargets(pool, action, { account: name });
    const active = found.filter(
      ({ state, quoteOnly }) => state !== 'held' && state !== 'ordered' && !quoteOnly,
    );
    return active.slice(0, 1 + Math.floor(random() * 3));
  };
  return {
    cancelled,
    pause: () =>
      start(async () => {
        const name = account();
        const by = { who, via: 'command line' as const };
        await until(async () => (await pauseByOperator(pool, name, by)) !== undefined);
        await sleep(1000 + random() * 6000);
        // Also counts if another pause of this person has just been resumed.
        await until(async () => (await resumeByOperator(pool, name, by)) !== undefined);
      }),
    hold: () =>
      start(async () => {
        const name = account();
        const pos = await some('hold', name).catch(() => []);
        await applyOperatorAction(pool, 'hold', pos, { who }).catch(() => []);
      }),
    cancel: () =>
      start(async () => {
        const name = account();
        const pos = await some('cancel', name).catch(() => []);
        // Remember it first, because the database may go down after recording it.
        for (const { poNumber } of pos) cancelled.get(name)!.add(poNumber);
        await applyOperatorAction(pool, 'cancel', pos, { who }).catch(() => []);
      }),
    settle: async () => {
      while (busy.size > 0) await Promise.all(busy);
      for (const name of faulty) {
        await until(async () => {
          const held = await findActionTargets(pool, 'release', { account: name, reasonCode: 'on_hold' });
          await applyOperatorAction(pool, 'release', held, { who });
          const { rows } = await pool.query(
            `select 1 from purchase_orders where account = $1 and (holding or state = 'held' and reason_code = 'on_hold')`,
            [name],
          );
          return rows.length === 0;
        });
      }
    },
  };
};

/**
 * Judges the POs that a person asked to cancel; returns errors as sentences. Each must be cancelled without an order, or ordered once, and
 * then an alarm says that the wish came too late, or the wish was never recorded.
 */
export const judgeCancelled = async (
  { system }: Scene,
  account: string,
  poNumbers: ReadonlySet<string>,
  served: ReadonlyMap<string, readonly JudgedOrder[]>,
): Promise<string[]> => {
  const { rows } = await system.ledger.query<{ po: string; state: string; late: boolean; asked: boolean }>(
    `select p.po_number as po, p.state, coalesce(p.alarm_code = 'late_wish', false) as late,
       exists (select from operator_actions a where a.purchase_order_id = p.id and a.action = 'cancel') as asked
     from purchase_orders p where p.account = $1 and p.po_number = any($2) and not p.quote_only`,
    [account, [...poNumbers]],
  );
  return [...new Set(rows.map(({ po }) => po))].flatMap((po) => {
    const found = rows.filter((row) => row.po === po);
    const submissions = new Set((served.get(po) ?? []).map((order) => order.submission)).size;
    const ordered = found.find(({ state }) => state === 'ordered' || state === 'closed');
    const isRight =
      submissions === 0
        ? found.every(({ state }) => state === 'cancelled' || state === 'held')
        : submissions === 1 && ordered !== undefined && (ordered.late || !ordered.asked);
    const states = found.map(({ state }) => state).join(', ');
    return isRight ? [] : [`${po} was to be cancelled: ${submissions} submissions, recorded as ${states}`];
  });
};
