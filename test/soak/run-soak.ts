import { setTimeout as sleep } from 'node:timers/promises';
import { heldOf, judge, readLedgerPos, summarise, type Verdict } from '../support/judge.ts';
import { faultsGiven, ordersByPo } from '../support/read-audit.ts';
import { createDealers, type Dealers } from './dealers.ts';
import { type Judgement, judgeSoak, type Sample, warmUpOf } from './judge-soak.ts';
import { type Scene, startScene } from './scene.ts';
import { takeSample } from './take-sample.ts';

const fileEveryMs = 4_000;
const sampleEveryMs = 5_000;
const passTimeEveryMs = 5_000;
const faultShare = 0.03;
/** The longest backoff of a PO, which the last fault may have started, plus its calls. */
const drainLimitMs = 150_000;
/** Regular work begins a minute after the start. */
const maintenanceAfterMs = 3 * 60_000;
const heldLimit = 0.01;

export interface Soak {
  samples: Sample[];
  warmUpMs: number;
  judgements: Judgement[];
  /** The events of the run, in sentences. */
  facts: string[];
  interrupted: boolean;
}

export interface SoakOptions {
  minutes: number;
  seed: number;
  /** Called with each sample. */
  onSample?: (sample: Sample) => void;
  /** Called when no more files arrive and the soak waits for open POs. */
  onDrain?: (open: number) => void;
  /** Ends the run early; judges the measurements so far. */
  signal?: AbortSignal;
}

/** Repeats the work at a fixed rate until the moment or the signal. */
const repeat = async (
  everyMs: number,
  until: number,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> => {
  while (performance.now() < until && !signal?.aborted) {
    const startedAt = performance.now();
    await work();
    const restMs = Math.min(until, startedAt + everyMs) - performance.now();
    await sleep(Math.max(0, restMs), undefined, signal ? { signal } : {}).catch(() => {});
  }
};

const drain = async (dealers: Dealers): Promise<number> => {
  const limit = performance.now() + drainLimitMs;
  for (;;) {
    const open = await dealers.openWork();
    if (open === 0 || performance.now() > limit) return open;
    await sleep(500);
  }
};

const cpuOfPo = (samples: readonly Sample[]): string => {
  const last = samples.at(-1);
  return last && last.ordered > 0 ? (last.cpuMs / last.ordered).toFixed(1) : '–';
};

const judgePurchaseOrders = async (scene: Scene, dealers: Dealers): Promise<Judgement[]> => {
  const verdicts: Verdict[] = [];
  for (const [dealer, asked] of dealers.asked) {
    verdicts.push(
      judge(
        asked,
        await ordersByPo(scene.service.pool, { dealer }),
        await readLedgerPos(scene.ledger, dealer),
      ),
    );
  }
  const found = verdicts.flatMap(({ lost, double, wrong }) => [...lost, ...double, ...wrong]);
  const asked = verdicts.reduce((sum, verdict) => sum + verdict.asked, 0);
  const held = verdicts.reduce((sum, verdict) => sum + heldOf(verdict), 0);
  const refused = verdicts.flatMap(({ refused: by }) => Object.values(by).flat());
  const ordered = verdicts.reduce((sum, verdict) => sum + verdict.ordered, 0);
  return [
    {
      kept: found.length === 0 && refused.length === 0 && asked > 0,
      text:
        found.length + refused.length === 0
          ? `Exactly once: ${ordered.toLocaleString('en-US')} of ${asked.toLocaleString('en-US')} POs became exactly one order with the file's quantities, ${held} are held.`
          : `Exactly once: not kept. ${verdicts.map(summarise).join('; ')}. ${[...found, ...refused].slice(0, 5).join('; ')}`,
    },
    {
      kept: held <= asked * heldLimit,
      text: `Held: ${held} of ${asked.toLocaleString('en-US')} POs (at most ${heldLimit * 100} %).`,
    },
  ];
};

/** Judges the activity of the run, because a soak in which nothing happened proves nothing. */
const judgeActivity = async (
  { ledger, service, messages, up }: Scene,
  ranMs: number,
): Promise<{ judgement: Judgement; facts: string[] }> => {
  const { rows } = await ledger.query<
    Record<'changes' | 'closed' | 'results' | 'pruned' | 'backups', number>
  >(
    `select (select count(*)::int from status_changes) as changes,
       (select count(*)::int from purchase_orders where state = 'closed') as closed,
       (select count(*)::int from imports where result_written_at is not null) as results,
       (select count(*)::int from imports where rows_pruned_at is not null) as pruned,
       (select count(*)::int from maintenance where task = 'backup' and result is not null) as backups`,
  );
  const { changes, closed, results, pruned, backups } = rows[0]!;
  const { rows: tasks } = await ledger.query<Record<'reported' | 'polled', number>>(
    'select count(report_written_at)::int as reported, count(polled_at)::int as polled from account_states',
  );
  const { reported, polled } = tasks[0]!;
  const given = await faultsGiven(service.pool);
  const faults = Object.values(given).reduce((sum, count) => sum + count, 0);
  const n = (value: number) => value.toLocaleString('en-US');
  const needed: Record<string, number> = {
    'result files': results,
    'accounts with a status report': reported,
    'accounts with fetched statuses': polled,
    'status changes': changes,
    faults,
    messages: messages(),
    ...(ranMs >= maintenanceAfterMs ? { backups, 'imports whose lines were removed': pruned } : {}),
  };
  const missing = Object.entries(needed).flatMap(([what, count]) => (count > 0 ? [] : [what]));
  const logged = [...up.logged].sort((a, b) => b[1] - a[1]).slice(0, 5);
  return {
    judgement: {
      kept: missing.length === 0,
      text:
        missing.length === 0
          ? 'Everything took part: files, orders, polls, reports, messages and faults.'
          : `Everything took part: not kept, there were no ${missing.join(', no ')}.`,
    },
    facts: [
      `${n(changes)} status changes recorded, ${n(closed)} POs closed, ${n(faults)} faults of ${Object.keys(given).length} kinds, ${n(messages())} messages sent, the lines of ${n(pruned)} files removed.`,
      ...(logged.length > 0
        ? [`Logged most often: ${logged.map(([message, count]) => `${message} (${count})`).join('; ')}.`]
        : []),
    ],
  };
};

/**
 * Runs `cartwright up` for some minutes while files arrive, orders progress, schedules run every few seconds and the service
 * fails; measures the worker's resource use, and judges it and the outcome of every PO.
 */
export const runSoak = async (options: SoakOptions): Promise<Soak> => {
  const { minutes, seed, onSample, onDrain, signal } = options;
  const scene = await startScene();
  try {
    const dealers = createDealers(scene, seed);
    scene.setFaults(faultShare, seed);
    const runMs = minutes * 60_000;
    const startedAt = performance.now();
    const until = startedAt + runMs;
    const samples: Sample[] = [];
    let endedAtMs: number | undefined;
    const measure = async (): Promise<void> => {
      if (!scene.up.isRunning()) {
        endedAtMs ??= performance.now() - startedAt;
        return;
      }
      const sample = await takeSample(scene, performance.now() - startedAt);
      if (!sample) return;
      samples.push(sample);
      onSample?.(sample);
    };
    await Promise.all([
      repeat(fileEveryMs, until, signal, dealers.dropNext),
      repeat(passTimeEveryMs, until, signal, dealers.passTime),
      repeat(sampleEveryMs, until, signal, measure),
    ]);
    const ranMs = performance.now() - startedAt;
    scene.setFaults(0, seed);
    onDrain?.(await dealers.openWork());
    if (scene.up.isRunning()) await drain(dealers);
    const { judgement, facts } = await judgeActivity(scene, ranMs);
    const warmUpMs = warmUpOf(ranMs);
    return {
      samples,
      warmUpMs,
      interrupted: signal?.aborted === true,
      facts: [
        `${dealers.files().toLocaleString('en-US')} files in ${(ranMs / 60_000).toFixed(1)} minutes.`,
        ...facts,
        `CPU time of the worker: ${cpuOfPo(samples)} ms a PO.`,
      ],
      judgements: [
        ...(await judgePurchaseOrders(scene, dealers)),
        {
          kept: endedAtMs === undefined,
          text:
            endedAtMs === undefined
              ? 'The worker ran to the end.'
              : `The worker ended after ${Math.round(endedAtMs / 1000)} s.`,
        },
        // If interrupted after seconds, some events had no time to happen.
        ...(signal?.aborted ? [] : [judgement]),
        ...judgeSoak(samples, warmUpMs),
      ],
    };
  } finally {
    await scene.stop();
  }
};
