import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRuleInput } from '../src/service/fault-rules.ts';
import { builtProgram } from '../test/support/built-program.ts';
import { ordersByPo } from '../test/support/read-audit.ts';
import type { Figure } from './support/figures.ts';
import { forkMeasured, type MeasuredProcess } from './support/measured-process.ts';
import { fileRows, type Scene, startScene } from './support/scene.ts';
import type { QueueKind } from './support/system.ts';

const lines = 5;
const latencyMs = 50;
const inFlight = 16;
/** Forty times the usual time of a call. The settle time is Cartwright's default for it: 2 x 2 s + 1 s. */
const requestTimeoutMs = 2_000;
const settleMs = 2 * requestTimeoutMs + 1_000;
const limitMs = 300_000;

/**
 * Ten kinds of fault that hit one call in 200 each: 5 % of all calls. Without 429, because waiting as the service asks takes a
 * script just as long.
 */
const faults: FaultRuleInput[] = (
  [
    { kind: 'close-before' },
    { kind: 'close-after' },
    { kind: 'hang-after' },
    { kind: '500-before' },
    { kind: '500-after' },
    { kind: '503-before' },
    { kind: 'empty-after' },
    { kind: 'truncated-after' },
    { kind: 'html' },
    { kind: 'act-late', cutBy: 'close', delayMs: 1_000 },
  ] satisfies FaultRuleInput[]
).map((rule, at) => ({ ...rule, probability: 0.005, seed: at + 1 }));

/** The result of one program, judged by the service's own log. */
interface Result {
  wallMs: number;
  calls: number;
  cpuMs: number;
  right: number;
  /** POs ordered more than once, or with other quantities than the file's. */
  wrong: number;
  unplaced: number;
  /** From the start of the second process to its first call at the service. */
  firstCallMs?: number;
  /** From the start of the second process until the POs left were no more than the calls in flight at the kill. */
  mostDoneMs?: number;
}

type Trouble = 'clean' | 'faults' | 'killed';
const titles: Record<Trouble, string> = {
  clean: 'clean',
  faults: '5 % faults',
  killed: 'killed and restarted',
};

const submitted = async ({ pool }: Scene): Promise<number> => {
  const { rows } = await pool.query('select count(*)::int as n from dealer_service.submissions');
  return rows[0].n;
};

const judge = async ({ pool }: Scene, pos: number): Promise<Pick<Result, 'right' | 'wrong' | 'unplaced'>> => {
  const served = await ordersByPo(pool);
  let right = 0;
  for (let po = 1; po <= pos; po += 1) {
    const orders = served.get(`PEER-${po}`) ?? [];
    const quantities = orders.flatMap((order) => Object.values(order.quantities)).sort();
    const isRight =
      new Set(orders.map(({ submission }) => submission)).size === 1 &&
      quantities.join() === Array.from({ length: lines }, (_, at) => at + 1).join();
    if (isRight) right += 1;
  }
  return { right, wrong: served.size - right, unplaced: pos - served.size };
};

/** Kills the process in the middle, starts the next one at once, and measures how long that one takes to resume work. */
const killOnce = async (
  scene: Scene,
  pos: number,
  first: MeasuredProcess,
  again: () => Promise<MeasuredProcess>,
): Promise<{ second: MeasuredProcess } & Required<Pick<Result, 'firstCallMs' | 'mostDoneMs' | 'calls'>>> => {
  while ((await submitted(scene)) < pos / 2) await sleep(20);
  await first.end('SIGKILL');
  // Calls that were sent before the kill still arrive.
  await sleep(2 * latencyMs);
  const { seen } = scene.services.service!;
  const before = await seen();
  const startedAt = Date.now();
  const second = await again();
  let calls = 0;
  let firstAtMs: number | undefined;
  const watch = async () => {
    const more = await seen();
    calls += more.calls;
    firstAtMs ??= more.firstAtMs;
  };
  const isRunning = () => second.child.exitCode === null && Date.now() < startedAt + limitMs;
  while ((await submitted(scene)) < pos - inFlight && isRunning()) {
    await watch();
    await sleep(20);
  }
  const mostDoneMs = Date.now() - startedAt;
  await watch();
  return {
    second,
    firstCallMs: (firstAtMs ?? Number.NaN) - startedAt,
    mostDoneMs,
    calls: before.calls + calls,
  };
};

const measure = async (
  who: 'script' | 'cartwright',
  trouble: Trouble,
  queue: QueueKind,
  pos: number,
): Promise<Result | undefined> => {
  const scene = await startScene({
    queue,
    services: { service: { latencyMs, poolSize: 20, faults: trouble === 'faults' ? faults : [] } },
    accounts: ({ service }) => ({
      // The service's behaviour is declared, so that a PO takes 9 calls (docs/rules.md).
      default: {
        baseUrl: service,
        inFlight,
        requestTimeout: `${requestTimeoutMs}ms`,
        createRefusesExistingCart: true,
      },
    }),
  });
  if (!scene) return undefined;
  try {
    const { seen } = scene.services.service!;
    const file = join(scene.folder, 'peers.csv');
    await writeFile(file, fileRows('PEER', pos, lines));
    const start =
      who === 'cartwright'
        ? scene.start
        : async () => {
            const args = [file, scene.services.service!.url, String(requestTimeoutMs), `${file}.done`];
            return forkMeasured(builtProgram('bench/support/script-process.ts'), args);
          };
    let begin = performance.now();
    const first = await start();
    // Cartwright is already running when a file arrives; a script is started for the file.
    const cpuBefore = who === 'cartwright' ? first.cpuMs() : 0;
    if (who === 'cartwright') {
      begin = performance.now();
      await scene.drop('default', 'PEER', pos, lines);
    }
    const killed = trouble === 'killed' ? await killOnce(scene, pos, first, start) : undefined;
    const last = killed?.second ?? first;
    if (who === 'script') await last.ended();
    else await scene.untilPlaced('PEER', limitMs);
    const wallMs = performance.now() - begin;
    // The process reports its CPU time every 0.1 s.
    await sleep(200);
    const cpuMs = last.cpuMs() + (killed ? first.cpuMs() : 0) - cpuBefore;
    const calls = (await seen()).calls + (killed?.calls ?? 0);
    return {
      wallMs,
      cpuMs,
      calls,
      ...(await judge(scene, pos)),
      ...(killed ? { firstCallMs: killed.firstCallMs, mostDoneMs: killed.mostDoneMs } : {}),
    };
  } finally {
    await scene.stop();
  }
};

const shown = (name: string, result: Result): Figure[] => [
  { name: `${name}: wall`, value: result.wallMs / 1000, unit: 's' },
  { name: `${name}: CPU`, value: result.cpuMs / 1000, unit: 's' },
  { name: `${name}: calls`, value: result.calls },
  {
    name: `${name}: right / wrong / unplaced`,
    value: `${result.right} / ${result.wrong} / ${result.unplaced}`,
  },
];

/**
 * Compares a bare script and Cartwright with the same purchase file and service: without faults, with 5 % faults, and with a
 * process that is killed in the middle and restarted.
 *
 * @param options.only one of clean, faults, killed
 */
export const run = async (
  options: { pos?: number; only?: string; queue?: QueueKind } = {},
): Promise<Figure[]> => {
  const { pos = 500, only, queue = 'postgres' } = options;
  const figures: Figure[] = [
    {
      name: `${pos} POs x ${lines} lines, ${latencyMs} ms a call, ${inFlight} in flight, queue on ${queue}: request timeout / settle`,
      value: `${requestTimeoutMs / 1000} s / ${settleMs / 1000} s`,
    },
  ];
  let clean: Result | undefined;
  const troubles = (Object.keys(titles) as Trouble[]).filter(
    // The run with faults is compared with the clean run.
    (trouble) => only === undefined || trouble === only || (only === 'faults' && trouble === 'clean'),
  );
  for (const trouble of troubles) {
    const script = await measure('script', trouble, queue, pos);
    const ours = await measure('cartwright', trouble, queue, pos);
    if (!script || !ours) return [{ name: 'peers', value: 'skipped: this machine has no redis-server' }];
    figures.push(...shown(`script, ${titles[trouble]}`, script));
    figures.push(...shown(`Cartwright, ${titles[trouble]}`, ours));
    figures.push({ name: `Cartwright, ${titles[trouble]}: ordered wrong`, value: ours.wrong, target: '= 0' });
    if (trouble === 'clean') {
      clean = ours;
      figures.push({
        name: "Cartwright, clean: wall / the script's",
        value: ours.wallMs / script.wallMs,
        target: '<= 1.35',
      });
    }
    if (trouble === 'faults' && clean) {
      figures.push(
        {
          name: 'Cartwright, 5 % faults: (wall - one settle time) / clean',
          value: (ours.wallMs - settleMs) / clean.wallMs,
          target: '<= 1.5',
        },
        { name: 'Cartwright, 5 % faults: CPU / clean', value: ours.cpuMs / clean.cpuMs, target: '<= 1.5' },
      );
    }
    if (trouble === 'killed') {
      figures.push(
        {
          name: 'Cartwright, restarted: first call after (s)',
          value: ours.firstCallMs! / 1000,
          target: '<= 3',
        },
        {
          name: `Cartwright, restarted: all but ${inFlight} POs ordered after`,
          value: ours.mostDoneMs! / 1000,
          unit: 's',
        },
        {
          name: `script, restarted: all but ${inFlight} POs ordered after`,
          value: script.mostDoneMs! / 1000,
          unit: 's',
        },
      );
    }
  }
  return figures;
};
