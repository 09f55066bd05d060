import type { NotificationSettings } from '../notify/settings.ts';
import type { TracingSettings } from '../tracing/trace.ts';
import type { buildAccount } from './build-account.ts';
import type { Settings } from './schema.ts';
import type { ServiceManager } from './service-manager.ts';

/** One account as the program uses it: absolute paths, secrets read, durations in milliseconds. */
export type Account = ReturnType<typeof buildAccount>;

/** Retention periods, in milliseconds; null: forever. */
export type RetentionAges = Readonly<{ files: number | null; rows: number | null }>;

/** A schedule by a cron pattern. */
export interface CronTime {
  cron: string;
  timeZone: string;
}

/** Address and access settings of the console. */
export interface ConsoleSettings
  extends Pick<Settings['console'], 'host' | 'port' | 'trustProxy' | 'queues'> {
  /** The largest file in MiB. */
  uploads: { maxMb: number };
  publicUrl: string | undefined;
  /** Absolute paths of the certificate and its key. */
  tls: { cert: string; key: string } | undefined;
  session: { idleMs: number; absoluteMs: number };
  /** `clientSecret` is undefined if there is none, or if the variable that should hold it is not set. */
  openId: (NonNullable<Settings['console']['openId']> & { clientSecret: string | undefined }) | undefined;
}

/** The configuration of a process; frozen. `loadConfig` builds it from cartwright.yaml and the environment. */
export interface Config extends Pick<Settings, 'log' | 'service' | 'health'> {
  console: ConsoleSettings;
  notifications: NotificationSettings;
  /** The settings with their defaults, in the form that people write. */
  settings: Settings;
  /** A sentence about each setting in the file that no longer has an effect. */
  ignored: readonly string[];
  /** Undefined when there is no configuration file. */
  file: string | undefined;
  /** The text of the file when it was read; undefined if it set nothing. */
  fileText: string | undefined;
  /** Set if the file is broken and its last valid text is used: the error of the file, and since when that text was in use. */
  instead: { message: string; since: Date } | undefined;
  /** True: orders go to a sandbox on this machine. */
  isSandbox: boolean;
  /** Absolute. */
  dataFolder: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Undefined: no traces are recorded. */
  tracing: TracingSettings | undefined;
  worker: {
    leaseMs: number;
    sweepEveryMs: number;
    drainMs: number;
    startPatienceMs: number;
    /** POs that one process places at the same time. A PO that waits for an answer costs only memory; `inFlight` limits calls. */
    placesAtOnce: number;
  };
  /** `folder` is absolute; undefined: no regular backups. `at` is also the schedule for removing old data. */
  backup: { folder: string | undefined; keep: number; at: CronTime };
  retention: RetentionAges;
  accounts: readonly Account[];
  /** Undefined unless systemd started this process and asked for its status. */
  serviceManager: ServiceManager | undefined;
}
