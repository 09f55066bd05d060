import type { ApiOptions } from '../dealer-api/options.ts';
import type { FileAccess } from '../file-access.ts';
import type { IntakeOptions } from '../intake/options.ts';
import type { PlacingRules } from '../placing/options.ts';
import type { Settings } from './schema.ts';

type AccountSettings = Settings['accounts'][string];

/** One account as the program uses it: absolute paths, secrets read, durations in milliseconds. */
export interface Account {
  name: string;
  /** Absolute. */
  folder: string;
  access: FileAccess;
  baseUrl: string | undefined;
  /** Undefined while nothing can be sent (no base URL, no secret): files can be checked, POs wait. */
  api: ApiOptions | undefined;
  /** Why nothing can be sent. */
  problem: { code: 'no_service' | 'secret_missing'; message: string } | undefined;
  inFlight: number;
  callsPerSecond: number | undefined;
  placing: PlacingRules;
  intake: IntakeOptions;
  codeLists: { warehouses: readonly string[]; cartShipCodes: readonly string[] };
  fileSettleMs: number;
  incompleteFileSettleMs: number;
  cancelledAgain: AccountSettings['cancelledAgain'];
  restoredFiles: AccountSettings['restoredFiles'];
  finalStatuses: readonly string[];
  closeUnchangedAfterMs: number;
  reportFormats: AccountSettings['reportFormats'];
  schedule: {
    timeZone: string;
    /** A cron pattern; undefined: files are picked up as they arrive. */
    takeFiles: string | undefined;
    poll: { everyMs: number } | { cron: string };
    /** A cron pattern. */
    statusReport: string;
  };
}

/** What the program runs with; frozen. `loadConfig` makes it from cartwright.yaml and the environment. */
export interface Config extends Pick<Settings, 'log' | 'queueView' | 'service'> {
  /** Undefined when there is no configuration file. */
  file: string | undefined;
  /** Absolute. */
  dataFolder: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  worker: {
    leaseMs: number;
    sweepEveryMs: number;
    drainMs: number;
    concurrency: Settings['worker']['concurrency'];
  };
  accounts: readonly Account[];
}
