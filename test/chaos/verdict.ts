import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { listStalled } from '../../src/ledger/po/stalled.ts';
import {
  judge,
  judgeGrown,
  judgeUndisturbed,
  judgeWaiting,
  readLedgerPos,
  summarise,
  type Verdict,
} from '../support/judge.ts';
import { type JudgedOrder, ordersByPo, readAudit } from '../support/read-audit.ts';
import { arrivedAt } from './arrivals.ts';
import { judgeCancelled, type Person } from './person.ts';
import type { PlannedFiles } from './plan-files.ts';
import { faulty, hanging, latestEffectMs, locked, type Scene, steady, troubled } from './scene.ts';

/** The longest time until the sweep checks a recently archived file again. */
const growthSeenMs = 90_000;
const shownTrails = 3;
const shownUntold = 10;

const merge = (records: Record<string, string[]>[]): Record<string, string[]> => {
  const merged: Record<string, string[]> = {};
  for (const record of records) {
    for (const [key, pos] of Object.entries(record)) merged[key] = [...(merged[key] ?? []), ...pos];
  }
  return merged;
};

const sumUp = (verdicts: readonly Verdict[]): Verdict => ({
  asked: verdicts.reduce((sum, { asked }) => sum + asked, 0),
  ordered: verdicts.reduce((sum, { ordered }) => sum + ordered, 0),
  lost: verdicts.flatMap(({ lost }) => lost),
  double: verdicts.flatMap(({ double }) => double),
  wrong: verdicts.flatMap(({ wrong }) => wrong),
  held: merge(verdicts.map(({ held }) => held)),
  refused: merge(verdicts.map(({ refused }) => refused)),
});

/** The end of the message about a run whose services were too slow. */
export const saysNothing = 'this run proves nothing';

export interface ChaosVerdict {
  /** The verdict on accounts whose services inject every kind of fault. */
  faulty: Verdict;
  /** The verdict on the other accounts. */
  beside: Verdict;
  /** Other broken promises, in sentences. */
  failures: string[];
  lines: string[];
}

/** The actions of the service and of Cartwright for a PO, for finding out why it went wrong. */
const trailOf = async ({ served, system }: Scene, finding: string): Promise<string[]> => {
  const poNumber = finding.split(': ')[0]!;
  const done = (await readAudit(served, { poNumber })).map(
    ({ at, requestId, endpoint, outcome, status, detail }) =>
      `${at.toISOString().slice(11, 23)} the service: ${endpoint} ${outcome} ${status}, arrived ${arrivedAt(requestId)?.toISOString().slice(11, 23) ?? 'unknown'} ${JSON.stringify(detail)}`,
  );
  const { rows } = await system.ledger.query<{ at: Date; line: string }>(
    `select i.begun_at as at, concat_ws(' ', case when p.quote_only then 'quote' else 'order' end, p.id, 'epoch', i.epoch,
       i.step, coalesce(i.outcome, '?'), 'at', i.ended_at::time) as line
     from intents i join purchase_orders p on p.id = i.purchase_order_id where p.po_number = $1`,
    [poNumber],
  );
  const meant = rows.map(({ at, line }) => `${at.toISOString().slice(11, 23)} we: ${line}`);
  return [poNumber, ...[...done, ...meant].sort().map((line) => `  ${line}`)];
};

/** The longest time from the arrival of a call to its effect, among calls whose effect no fault delayed. */
const slowestEffectMs = async (served: pg.Pool): Promise<number> => {
  const entries = await readAudit(served);
  const delayed = new Set(
    entries.flatMap(({ outcome, requestId }) => (outcome === 'fault' ? [requestId] : [])),
  );
  return entries.reduce((slowest, { outcome, requestId, at }) => {
    const arrived = outcome === 'acted' && !delayed.has(requestId) ? arrivedAt(requestId) : undefined;
    return arrived ? Math.max(slowest, at.getTime() - arrived.getTime()) : slowest;
  }, 0);
};

const without = <T>(pos: ReadonlyMap<string, T>, left: ReadonlySet<string> | undefined): Map<string, T> =>
  new Map([...pos].filter(([po]) => !left?.has(po)));

const judgeUploads = async (
  { system, served }: Scene,
  { grown }: PlannedFiles,
  cancelled: Person['cancelled'],
): Promise<string[]> => {
  const found: string[] = [];
  for (const { dealer, file } of grown) {
    const { rows } = await system.ledger.query(
      'select 1 from imports where account = $1 and file_name = $2 and file_grew is not null',
      [dealer, file.name],
    );
    const orders = await ordersByPo(served, { dealer });
    const ledgerPos = await readLedgerPos(system.ledger, dealer);
    found.push(
      ...judgeGrown(
        { whole: without(file.whole, cancelled.get(dealer)), before: file.before },
        orders,
        ledgerPos,
        rows.length > 0,
      ).map((what) => `${file.name}: ${what}`),
    );
  }
  return found;
};

/** Judges all accounts by the service's own log. Waits until the sweep has noticed which files grew. */
export const reachVerdict = async (
  scene: Scene,
  asked: PlannedFiles,
  cancelled: Person['cancelled'],
): Promise<ChaosVerdict> => {
  const { system, served } = scene;
  const waitUntil = performance.now() + growthSeenMs;
  let uploads = await judgeUploads(scene, asked, cancelled);
  while (uploads.length > 0 && performance.now() < waitUntil) {
    await sleep(1000);
    uploads = await judgeUploads(scene, asked, cancelled);
  }
  const grownPos = new Set(asked.grown.flatMap(({ file }) => [...file.whole.keys()]));
  const withoutGrown = (served: Map<string, JudgedOrder[]>) =>
    new Map([...served].filter(([po]) => !grownPos.has(po)));
  /** The verdict on POs that nobody asked to cancel. */
  const verdictOf = async (dealer: string): Promise<Verdict> =>
    judge(
      without(asked.pos.get(dealer)!, cancelled.get(dealer)),
      without(withoutGrown(await ordersByPo(served, { dealer })), cancelled.get(dealer)),
      await readLedgerPos(system.ledger, dealer),
    );
  const ofFaulty: Verdict[] = [];
  const ofCancelled: string[] = [];
  for (const dealer of faulty) {
    ofFaulty.push(await verdictOf(dealer));
    const orders = await ordersByPo(served, { dealer });
    ofCancelled.push(...(await judgeCancelled(scene, dealer, cancelled.get(dealer)!, orders)));
  }
  const ofSteady = await verdictOf(steady);
  const ofTroubled = await verdictOf(troubled);
  const ofHanging = sumUp(await Promise.all(hanging.map(verdictOf)));
  const all = [...ofFaulty, ofSteady, ofTroubled, ofHanging];
  const worst = all
    .flatMap(({ lost, double, wrong }) => [...lost, ...double, ...wrong])
    .slice(0, shownTrails);
  const trails = (await Promise.all(worst.map((finding) => trailOf(scene, finding)))).flat();
  const stood = await listStalled(
    system.ledger,
    [...asked.pos.keys()].filter((name) => name !== locked),
  );
  const untold: string[] = [];
  for (const [dealer, receiver] of scene.receivers) {
    const ordered = new Set((await ordersByPo(served, { dealer })).keys());
    untold.push(
      ...(await receiver.judge(system.ledger, dealer, ordered)).map((what) => `${dealer}: ${what}`),
    );
  }
  const slowestMs = await slowestEffectMs(served);
  const heldUpMs = await scene.services.longestDelayMs();
  const waiting = judgeWaiting(asked.pos.get(locked)!, await readLedgerPos(system.ledger, locked));
  return {
    faulty: sumUp(ofFaulty),
    beside: sumUp([ofSteady, ofTroubled, ofHanging]),
    failures: [
      ...judgeUndisturbed(ofSteady).map((what) => `${steady}: ${what}`),
      ...untold.slice(0, shownUntold),
      ...waiting.map((what) => `${locked}: ${what}`),
      ...uploads,
      ...ofCancelled,
      ...stood.map(
        ({ account, poNumber, since }) => `${account}: PO ${poNumber} is stuck since ${since.toISOString()}`,
      ),
      ...(slowestMs + heldUpMs > latestEffectMs
        ? [
            `the services were slower than the promise assumes: an effect came ${slowestMs} ms after its call arrived, and calls may have waited ${Math.round(heldUpMs)} ms before that; ${saysNothing}`,
          ]
        : []),
      ...(trails.length > 0 ? [`what was done:\n${trails.join('\n')}`] : []),
    ],
    lines: [
      `the services: slowest effect without a fault ${slowestMs} ms after its call arrived, longest delay of their process ${Math.round(heldUpMs)} ms`,
      `beside trouble: ${summarise(ofSteady)}`,
      `behind a bad proxy (${Object.entries(scene.proxy.given)
        .map(([way, n]) => `${n} ${way}`)
        .join(', ')}): ${summarise(ofTroubled)}`,
      `lists that hang, ${hanging.length} accounts: ${summarise(ofHanging)}`,
      `changes sent to programs: ${[...scene.receivers]
        .map(
          ([dealer, receiver]) =>
            `${dealer} ${receiver.counts().requests} requests, ${receiver.counts().failed} failed`,
        )
        .join('; ')}; ${untold.length} missing, early or invented`,
      `${asked.grown.length} files grew after they had been picked up: ${uploads.length} wrong results`,
    ],
  };
};
