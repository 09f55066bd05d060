import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { readPidFile } from '../../src/embedded/postmaster.ts';
import { findServerLocation } from '../../src/embedded/server-location.ts';
import { backoffCapMs } from '../../src/placing/transition-for.ts';
import { heldOf, summarise } from '../support/judge.ts';
import { faultsGiven } from '../support/read-audit.ts';
import type { TestRedis } from '../support/redis.ts';
import { until } from '../support/run-system.ts';
import { startDealers } from './dealers.ts';
import { createPerson } from './person.ts';
import { type ChaosPlan, createRandom, orderMishaps } from './plan.ts';
import { planFiles } from './plan-files.ts';
import { startProcesses } from './processes.ts';
import { faulty, locked, type Scene, startScene, troubled } from './scene.ts';
import { reachVerdict } from './verdict.ts';

/** Longer than lease, request timeout and settle together, so that another worker takes over. */
const standstillMs = 12_000;
/** The longest backoff of a PO, which the last fault may have started, plus all its calls on a busy machine. */
const drainLimitMs = backoffCapMs + 60_000;
const heldLimit = 0.01;

export interface ChaosResult {
  lines: string[];
  /** The broken promises; empty when the run succeeded. */
  failures: string[];
}

/** Number of POs of these accounts with a next step, plus unread files; undefined while the ledger is unreachable. */
const openWork = async (
  { system }: Scene,
  imports: number,
  accounts: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await system.ledger
    .query<{ open: number; read: number }>(
      // A quote may be taken twice if the ledger became unreachable during the first attempt.
      `select (select count(distinct (account, file_name))::int from imports where state <> 'taken') as read,
         (select count(*)::int from purchase_orders where account = any($1) and state in
           ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as open`,
      [accounts],
    )
    .catch(() => ({ rows: [] }));
  return rows[0] && rows[0].open + Math.max(0, imports - rows[0].read);
};

/**
 * Places thousands of POs while workers, watchers, the ledger's Postgres and the queue are killed, services
 * fail, POs are quoted and ordered at once and uploads pause. Judges the outcome by the service's own log.
 * @param options.redis the queue; undefined: the queue is in the ledger's Postgres
 */
export const runChaos = async (options: {
  plan: ChaosPlan;
  redis: TestRedis | undefined;
  seed: number;
  print: (line: string) => void;
  /** Aborts the run: it stops everything that it started, and throws. */
  signal?: AbortSignal;
}): Promise<ChaosResult> => {
  const { plan, redis, seed, print, signal } = options;
  const random = createRandom(seed);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const scene = await startScene(redis, random);
    closers.push(scene.stop);
    const { system, served, dataFolder } = scene;
    const asked = planFiles(plan, seed);
    await scene.setFaults(plan.faultShare, seed);
    const processes = await startProcesses(system, plan.workers, plan.watchers);
    closers.push(() => processes.stop());
    const dealers = await startDealers(scene, random, signal);
    closers.push(() => dealers.stop());

    const person = createPerson(scene, random);
    const mishaps = orderMishaps(plan, redis !== undefined, random);
    // Files keep arriving until two thirds of the mishaps have happened.
    let done = 0;
    const eventsUntil = async (share: number): Promise<void> => {
      const { events } = asked;
      for (; done < Math.min(events.length, Math.ceil(events.length * share)); done += 1) {
        await dealers.perform(events[done]!);
      }
    };
    const restartPostgres = async (): Promise<void> => {
      const file = await readPidFile(await findServerLocation(dataFolder));
      // An immediate shutdown or a kill: its owners restart it.
      if (file) process.kill(file.pid, random() < 0.5 ? 'SIGQUIT' : 'SIGKILL');
    };
    const happened: Record<string, number> = {};
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 1000);
    for (const [at, mishap] of mishaps.entries()) {
      await eventsUntil(((at + 1) / mishaps.length) * 1.5);
      await sleep(plan.betweenMishapsMs * (0.5 + random()), undefined, { signal });
      if (mishap === 'kill') processes.kill(random);
      else if (mishap === 'standstill') processes.suspend(random, standstillMs);
      else if (mishap === 'postgres') await restartPostgres();
      else if (mishap === 'redis') await redis!.restart();
      else if (mishap === 'pause' || mishap === 'hold' || mishap === 'cancel') person[mishap]();
      else {
        const client = new Redis(redis!.url);
        await client.flushall();
        client.disconnect();
      }
      happened[mishap] = (happened[mishap] ?? 0) + 1;
      if (at % 10 === 9) print(`  ${at + 1} of ${mishaps.length} mishaps after ${seconds()} s`);
    }
    await eventsUntil(1);
    await processes.settle();
    await dealers.settle();
    await person.settle();
    // The last faults hit the last POs, so that the drain time measures recovery and not a backlog. Without POs left no
    // more faults can occur: too few of them is a failure below, so the loop need not wait for them.
    const nearlyDone = async () => {
      const left = await openWork(scene, asked.imports, faulty);
      return (
        left === 0 || (left! <= plan.purchaseOrders * 0.02 && (await scene.faultsGiven()) >= plan.faults)
      );
    };
    const stormed = async () =>
      Object.values(scene.proxy.given).every((count) => count > 0) ||
      (await openWork(scene, asked.imports, [troubled])) === 0;
    const giveUpAt = performance.now() + 600_000;
    while (!((await nearlyDone()) && (await stormed())) && performance.now() < giveUpAt)
      await sleep(200, undefined, { signal });
    await scene.setFaults(0, seed);
    scene.proxy.calm();
    for (const receiver of scene.receivers.values()) receiver.calm();
    const lastFaultAt = performance.now();
    print(`  the last fault was given after ${seconds()} s`);
    const accounts = [...asked.pos.keys()].filter((name) => name !== locked);
    await until(async () => (await openWork(scene, asked.imports, accounts)) === 0, {
      limitMs: 300_000,
      describe: system.describe,
    });
    const drainedMs = performance.now() - lastFaultAt;

    const verdict = await reachVerdict(scene, asked, person.cancelled);
    const kinds = await faultsGiven(served);
    const faults = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    const failures = [...verdict.failures];
    const expectThat = (holds: boolean, failure: string) => void (holds || failures.push(failure));
    for (const what of ['lost', 'double', 'wrong'] as const) {
      const found = [...verdict.faulty[what], ...verdict.beside[what]];
      expectThat(found.length === 0, `${what}: ${found.slice(0, 5).join('; ')}`);
    }
    const held = heldOf(verdict.faulty);
    expectThat(
      held <= verdict.faulty.asked * heldLimit,
      `${held} of ${verdict.faulty.asked} held: ${JSON.stringify(verdict.faulty.held)}`,
    );
    const refused = { ...verdict.faulty.refused, ...verdict.beside.refused };
    expectThat(Object.keys(refused).length === 0, `refused: ${JSON.stringify(refused)}`);
    expectThat(
      drainedMs <= drainLimitMs,
      `drained only ${Math.round(drainedMs / 1000)} s after the last fault`,
    );
    expectThat(faults >= plan.faults, `${faults} faults instead of ${plan.faults}`);
    expectThat(Object.keys(kinds).length >= 14, `${Object.keys(kinds).length} kinds of faults`);
    for (const [way, count] of Object.entries(scene.proxy.given)) {
      expectThat(count > 0, `the bad proxy never gave ${way}`);
    }
    expectThat(
      processes.unexpectedEnds() === 0,
      `${processes.unexpectedEnds()} processes ended without being killed`,
    );
    return {
      lines: [
        `queue on ${redis ? 'Redis' : 'Postgres'}, seed ${seed}: ${seconds()} s, drained ${Math.round(drainedMs / 1000)} s after the last fault`,
        `  ${faults} HTTP faults of ${Object.keys(kinds).length} kinds; mishaps: ${JSON.stringify(happened)}; each of ${plan.files} files dropped twice, most of them quoted too`,
        `  ${summarise(verdict.faulty)}`,
        ...verdict.lines.map((line) => `  ${line}`),
      ],
      failures,
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
