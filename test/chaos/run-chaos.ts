import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findPlace } from '../../src/embedded/place.ts';
import { readPostmasterFile } from '../../src/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import { type FaultRuleInput, faultKinds } from '../../src/service/fault-rules.ts';
import { faultsGiven, ordersByPo } from '../../src/service/read-audit.ts';
import { heldOf, judge, type Quantities, readStandings, summarise, type Verdict } from '../support/judge.ts';
import type { TestRedis } from '../support/redis.ts';
import { createSystem, fileOf, somePos, startService } from '../support/run-system.ts';
import { startCrew } from './crew.ts';
import { type ChaosPlan, createRandom, orderMishaps } from './plan.ts';

/** Longer than lease, request timeout and settle together: another worker takes over meanwhile. */
const standstillMs = 9000;
/** Pauses and lookups after the last mishap are done by then. */
const drainLimitMs = 60_000;
const heldLimit = 0.01;
const dealers = ['north', 'south', 'east', 'west'];

export interface ChaosResult {
  lines: string[];
  /** What was promised and not kept; empty when all is well. */
  failures: string[];
}

/** An account pauses for these: if they were as frequent as the others it would do little else. */
const pausing = new Set(['429-seconds', '429-date', 'redirect', 'html']);
const weightOf = (kind: string): number => (pausing.has(kind) ? 0.25 : 1);
const weights = faultKinds.reduce((sum, kind) => sum + weightOf(kind), 0);

/** Every kind of fault at every endpoint; together they meet this share of the calls. */
const faultRules = (share: number, seed: number): FaultRuleInput[] =>
  faultKinds.map((kind, at) => ({
    kind,
    probability: (share * weightOf(kind)) / weights,
    seed: seed * 100 + at,
    delayMs: kind === 'act-late' ? 1500 : 300,
    retryAfterSeconds: 1,
  }));

const sumUp = (verdicts: readonly Verdict[]): Verdict => {
  const merge = (records: Record<string, string[]>[]) => {
    const merged: Record<string, string[]> = {};
    for (const record of records) {
      for (const [key, pos] of Object.entries(record)) merged[key] = [...(merged[key] ?? []), ...pos];
    }
    return merged;
  };
  return {
    asked: verdicts.reduce((sum, { asked }) => sum + asked, 0),
    ordered: verdicts.reduce((sum, { ordered }) => sum + ordered, 0),
    lost: verdicts.flatMap(({ lost }) => lost),
    double: verdicts.flatMap(({ double }) => double),
    wrong: verdicts.flatMap(({ wrong }) => wrong),
    held: merge(verdicts.map(({ held }) => held)),
    refused: merge(verdicts.map(({ refused }) => refused)),
  };
};

/**
 * Places thousands of POs while workers, watchers, the ledger's Postgres and the queue are killed and the
 * service misbehaves, and judges by the service's own log what became of them.
 * @param options.redis the queue; undefined: it stands in the ledger's Postgres
 */
export const runChaos = async (options: {
  plan: ChaosPlan;
  redis: TestRedis | undefined;
  seed: number;
  say: (line: string) => void;
  /** Ends it: everything that it started is stopped, and it throws. */
  signal?: AbortSignal;
}): Promise<ChaosResult> => {
  const { plan, redis, seed, say, signal } = options;
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-chaos-'));
  await chmod(folder, 0o711);
  const dataFolder = join(folder, 'data');
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const served = await startEmbeddedPostgres({
      dataFolder: join(folder, 'service'),
      logger: silentLogger,
      durable: false,
    });
    closers.push(() => served.stop());
    const ledger = await startEmbeddedPostgres({ dataFolder, logger: silentLogger });
    closers.push(() => ledger.stop());
    const service = await startService(served.url, {
      dealers: dealers.map((name) => ({ name, token: name })),
      poolSize: 20,
    });
    closers.push(() => service.stop());
    const system = await createSystem({
      ledgerUrl: ledger.url,
      builtIn: true,
      folder: dataFolder,
      redisUrl: redis?.url,
      accounts: Object.fromEntries(
        dealers.map((token) => [
          token,
          {
            baseUrl: service.url,
            token,
            requestTimeout: '1s',
            settle: '2100ms',
            deniedPause: '5s',
            inFlight: 128,
            schedule: { poll: '10s' },
          },
        ]),
      ),
      worker: { lease: '5s', sweepEvery: '10s' },
    });
    closers.push(() => system.stop());

    const asked = new Map(dealers.map((dealer) => [dealer, new Map<string, Quantities>()]));
    const perFile = plan.purchaseOrders / plan.files;
    const files = Array.from({ length: plan.files }, (_, at) => {
      const dealer = dealers[at % dealers.length]!;
      const pos = somePos(`${dealer} ${at + 1}/`, perFile, seed + at);
      for (const [po, quantities] of pos) asked.get(dealer)!.set(po, quantities);
      return { dealer, name: `orders-${at + 1}`, content: fileOf(pos) };
    });

    service.faults.replace(faultRules(plan.faultShare, seed));
    const crew = await startCrew(system, plan.workers, plan.watchers);
    closers.push(() => crew.stop());
    const mishaps = orderMishaps(plan, redis !== undefined, random);
    // Files come until two thirds of the mishaps have happened; each comes twice, under two names.
    const drops = files.flatMap((file) => [file, { ...file, name: `${file.name} again` }]);
    let dropped = 0;
    const dropUntil = async (share: number): Promise<void> => {
      for (; dropped < Math.min(drops.length, Math.ceil(drops.length * share)); dropped += 1) {
        const { dealer, name, content } = drops[dropped]!;
        await system.drop(dealer, `${name}.csv`, content);
      }
    };
    const restartPostgres = async (): Promise<void> => {
      const file = await readPostmasterFile(await findPlace(dataFolder));
      // Immediate, or worse: its owners start it again.
      if (file) process.kill(file.pid, random() < 0.5 ? 'SIGQUIT' : 'SIGKILL');
    };
    const done: Record<string, number> = {};
    const startedAt = performance.now();
    for (const [at, mishap] of mishaps.entries()) {
      await dropUntil(((at + 1) / mishaps.length) * 1.5);
      await sleep(plan.betweenMishapsMs * (0.5 + random()), undefined, { signal });
      if (mishap === 'kill') crew.kill(random);
      else if (mishap === 'standstill') crew.standStill(random, standstillMs);
      else if (mishap === 'postgres') await restartPostgres();
      else if (mishap === 'redis') await redis!.restart();
      else {
        const client = new Redis(redis!.url);
        await client.flushall();
        client.disconnect();
      }
      done[mishap] = (done[mishap] ?? 0) + 1;
      if (at % 10 === 9)
        say(
          `  ${at + 1} of ${mishaps.length} mishaps after ${Math.round((performance.now() - startedAt) / 1000)} s`,
        );
    }
    await dropUntil(1);
    await crew.settle();
    const given = () => service.faults.list().reduce((sum, entry) => sum + entry.given, 0);
    // The last faults meet the last POs: what is drained then is what they left, not a backlog.
    const open = async (): Promise<number> => {
      const { rows } = await system.ledger.query(
        `select (select count(*)::int from purchase_orders where state in ('ordered', 'held', 'closed', 'failed')) as done`,
      );
      return plan.purchaseOrders - rows[0].done;
    };
    // With none left there will be no more faults: too few of them is then said below, and not waited for.
    const nearlyDone = async () => {
      const left = await open().catch(() => plan.purchaseOrders);
      return left === 0 || (given() >= plan.faults && left <= plan.purchaseOrders * 0.02);
    };
    const giveUpAt = performance.now() + 600_000;
    while (!(await nearlyDone()) && performance.now() < giveUpAt) await sleep(200, undefined, { signal });
    service.faults.replace([]);
    const lastFaultAt = performance.now();
    say(`  the last fault was given after ${Math.round((lastFaultAt - startedAt) / 1000)} s`);
    await system.settled(drops.length, 300_000);
    const drainedMs = performance.now() - lastFaultAt;

    const verdicts: Verdict[] = [];
    for (const dealer of dealers) {
      const orders = await ordersByPo(service.pool, { dealer });
      verdicts.push(judge(asked.get(dealer)!, orders, await readStandings(system.ledger, dealer)));
    }
    const verdict = sumUp(verdicts);
    const kinds = await faultsGiven(service.pool);
    const faults = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    const failures: string[] = [];
    const expectThat = (holds: boolean, failure: string) => void (holds || failures.push(failure));
    for (const what of ['lost', 'double', 'wrong'] as const) {
      expectThat(verdict[what].length === 0, `${what}: ${verdict[what].slice(0, 5).join('; ')}`);
    }
    const held = heldOf(verdict);
    expectThat(
      held <= verdict.asked * heldLimit,
      `${held} of ${verdict.asked} held: ${JSON.stringify(verdict.held)}`,
    );
    expectThat(Object.keys(verdict.refused).length === 0, `refused: ${JSON.stringify(verdict.refused)}`);
    expectThat(
      drainedMs <= drainLimitMs,
      `drained only ${Math.round(drainedMs / 1000)} s after the last fault`,
    );
    expectThat(faults >= plan.faults, `${faults} faults instead of ${plan.faults}`);
    expectThat(Object.keys(kinds).length >= 14, `${Object.keys(kinds).length} kinds of faults`);
    expectThat(crew.endedByThemselves() === 0, `${crew.endedByThemselves()} processes ended by themselves`);
    return {
      lines: [
        `queue on ${redis ? 'Redis' : 'Postgres'}, seed ${seed}: ${Math.round((performance.now() - startedAt) / 1000)} s, drained ${Math.round(drainedMs / 1000)} s after the last fault`,
        `  ${faults} HTTP faults of ${Object.keys(kinds).length} kinds; mishaps: ${JSON.stringify(done)}; each of ${files.length} files dropped twice`,
        `  ${summarise(verdict)}`,
      ],
      failures,
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
