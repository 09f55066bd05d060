import { median } from '../../bench/support/figures.ts';

/** Resource use of worker, database and ledger at one moment. */
export interface Sample {
  /** Time since the first file was dropped. */
  atMs: number;
  residentBytes: number;
  /** The minimum since the previous sample, which is what garbage collection leaves. */
  heapBytes: number;
  /** Number of open files without sockets, and of sockets; undefined if the system does not show them. */
  files: number | undefined;
  sockets: number | undefined;
  /** Active handles of the worker's event loop: sockets, timers, file requests. */
  handles: number;
  /** CPU time of the worker since its start. */
  cpuMs: number;
  /** Connections of Cartwright to Postgres. */
  connections: number;
  /** Number of POs ordered so far. */
  ordered: number;
  ledgerBytes: number;
  ledgerRows: number;
  queueRows: number;
}

/** A judgement; `kept` is undefined if too little was measured. */
export interface Judgement {
  kept: boolean | undefined;
  /** A sentence with the figures. */
  text: string;
}

/** In shorter runs, caches and pools are still filling. */
const leastMs = 10 * 60_000;
const leastSamples = 12;

interface Limit {
  what: string;
  read(sample: Sample): number | undefined;
  /** The allowed growth as a share, or in units if that is more. */
  share: number;
  units: number;
  show(value: number): string;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const whole = (value: number): string => value.toLocaleString('en-US');

const limits: readonly Limit[] = [
  {
    what: 'Resident memory of the worker',
    read: ({ residentBytes }) => residentBytes,
    share: 0.05,
    units: 0,
    show: megabytes,
  },
  // Pools open connections under load, and close them half a minute after it.
  {
    what: 'Connections to Postgres',
    read: ({ connections }) => connections,
    share: 0.05,
    units: 3,
    show: whole,
  },
  { what: 'Open files of the worker', read: ({ files }) => files, share: 0.05, units: 2, show: whole },
  { what: 'Sockets of the worker', read: ({ sockets }) => sockets, share: 0.05, units: 5, show: whole },
  { what: 'Handles of the worker', read: ({ handles }) => handles, share: 0.1, units: 10, show: whole },
  // Each of six queues slowly accumulates some 1,000 events and 400 ended jobs.
  {
    what: 'Rows of the job queue',
    read: ({ queueRows }) => queueRows,
    share: 0.1,
    units: 4_000,
    show: whole,
  },
];

const judgeOne = (limit: Limit, samples: readonly Sample[], warmUpMs: number): Judgement => {
  const measured = samples.filter(({ atMs }) => atMs >= warmUpMs).map(limit.read);
  const values = measured.filter((value) => value !== undefined);
  if (values.length < measured.length)
    return { kept: undefined, text: `${limit.what}: not shown by this system.` };
  const lastMs = samples.at(-1)?.atMs ?? 0;
  if (values.length < leastSamples || lastMs < leastMs) {
    return {
      kept: undefined,
      text: `${limit.what}: not judged; this takes at least ${leastMs / 60_000} minutes.`,
    };
  }
  // Medians of thirds, so that a single garbage collection or burst of files has no influence.
  const third = Math.floor(values.length / 3);
  const before = median(values.slice(0, third));
  const after = median(values.slice(-third));
  const growth = before === 0 ? 0 : (after / before - 1) * 100;
  return {
    kept: after <= before + Math.max(before * limit.share, limit.units),
    text: `${limit.what}: ${limit.show(before)}, then ${limit.show(after)} (${growth < 0 ? '' : '+'}${growth.toFixed(1)} %).`,
  };
};

/** The warm-up of a run: a quarter of it, at most five minutes. */
export const warmUpOf = (runMs: number): number => Math.min(runMs / 4, 5 * 60_000);

/**
 * Judges whether anything grew that must stay constant: compares the last third of the samples after the warm-up with the
 * first third. Runs that are too short are not judged.
 */
export const judgeSoak = (samples: readonly Sample[], warmUpMs: number): Judgement[] =>
  limits.map((limit) => judgeOne(limit, samples, warmUpMs));
