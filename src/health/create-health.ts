import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ObservedCall } from '../dealer-api/answers.ts';
import type { LedgerFigures } from '../ledger/figures.ts';
import type { QueueFigures } from '../queue/queue-figures.ts';
import { addCallMetrics } from './call-metrics.ts';
import { createFreshReading } from './fresh-reading.ts';
import { addLedgerMetrics } from './ledger-metrics.ts';
import { createReadiness, type Readiness, type ReadinessParts } from './readiness.ts';

/** The health of this process and the figures of the ledger. */
export interface Health {
  readiness(): Promise<Readiness>;
  /** In the text format of Prometheus. */
  metrics(): Promise<{ contentType: string; text: string }>;
  stop(): void;
}

export interface HealthParts extends ReadinessParts {
  version: string;
  /** How many accounts have metrics of their own. */
  namedAccounts: number;
  readFigures(): Promise<LedgerFigures>;
  readQueues(): Promise<QueueFigures[]>;
  /** When the account's next status check is due; undefined if this process does not know. */
  pollDueAfter(account: string, polledAt: Date): Date | undefined;
  /** Whether an account is outside its opening hours. */
  isClosed(account: string, now: Date): boolean;
  /** The due time of the regular backup after the last one; may be in the past. Undefined: this process has none configured. */
  backupDue(lastDueAt: Date): Date | undefined;
  /** Calls back with every call to a service. */
  onCall(listener: (account: string, call: ObservedCall) => void): void;
}

/** How often figures are read while somebody fetches them; reading stops after five minutes without a request. */
const rhythm = { everyMs: 10_000, idleMs: 300_000, patienceMs: 5000 };

const addQueueMetrics = (registry: Registry) => {
  const jobs = new Gauge({
    name: 'cartwright_queue_jobs',
    help: 'Jobs in the queues by state; the next runs of schedules are delayed jobs.',
    labelNames: ['queue', 'state'] as const,
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'cartwright_queue_oldest_waiting_seconds',
    help: 'How long the oldest job that may run waits.',
    labelNames: ['queue'] as const,
    registers: [registry],
  });
  return (figures: readonly QueueFigures[], now: Date): void => {
    jobs.reset();
    oldest.reset();
    for (const { queue, waiting, active, delayed, waitingSince } of figures) {
      jobs.set({ queue, state: 'waiting' }, waiting);
      jobs.set({ queue, state: 'active' }, active);
      jobs.set({ queue, state: 'delayed' }, delayed);
      const ageMs = waitingSince ? now.getTime() - waitingSince.getTime() : 0;
      oldest.set({ queue }, Math.max(0, Math.round(ageMs / 1000)));
    }
  };
};

/** Its answers contain nothing of the configuration except account names. */
export const createHealth = (parts: HealthParts): Health => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'cartwright_build_info',
    help: 'The version that this process runs; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: parts.version }, 1);
  const up = new Gauge({
    name: 'cartwright_up',
    help: 'Whether this process reaches the ledger and the queue.',
    labelNames: ['server'] as const,
    registers: [registry],
  });
  const readAt = new Gauge({
    name: 'cartwright_figures_timestamp_seconds',
    help: 'When the figures of the ledger were read.',
    labelNames: ['server'] as const,
    registers: [registry],
  });
  parts.onCall(addCallMetrics(registry, parts.namedAccounts));
  // Formatted once for each reading: formatting the lines of 50 accounts takes longer than everything else.
  const ofLedger = new Registry();
  const showLedger = addLedgerMetrics(ofLedger, {
    most: parts.namedAccounts,
    pollDueAfter: parts.pollDueAfter,
    isClosed: parts.isClosed,
    backupDue: parts.backupDue,
  });
  const ofQueues = new Registry();
  const showQueues = addQueueMetrics(ofQueues);
  const ledger = createFreshReading(async () => {
    showLedger(await parts.readFigures(), new Date());
    return ofLedger.metrics();
  }, rhythm);
  const queues = createFreshReading(async () => {
    showQueues(await parts.readQueues(), new Date());
    return ofQueues.metrics();
  }, rhythm);
  return {
    readiness: createReadiness(parts),
    metrics: async () => {
      const [fromLedger, fromQueue] = await Promise.all([ledger.current(), queues.current()]);
      const readings = { ledger: fromLedger, queue: fromQueue };
      readAt.reset();
      const texts: string[] = [];
      for (const [server, reading] of Object.entries(readings)) {
        if (reading.kind !== 'pending') up.set({ server }, Number(reading.kind === 'read'));
        if (reading.kind !== 'read') continue;
        readAt.set({ server }, Math.round(reading.at.getTime() / 1000));
        texts.push(reading.value);
      }
      return {
        contentType: registry.contentType,
        text: [await registry.metrics(), ...texts].join(''),
      };
    },
    stop: () => {
      ledger.stop();
      queues.stop();
    },
  };
};
