import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import { orderStatuses } from './contract/codes.ts';
import { type ApiOptions, apiOptionsShape, duration } from './dealer-api/options.ts';
import { messageOf } from './errors.ts';
import type { FileAccess } from './file-access.ts';
import { intakeOptionsSchema } from './intake/options.ts';
import { type PlacingRules, placingOptionsShape } from './placing/options.ts';
import { serviceConfigSchema } from './service/config.ts';

const cron = z
  .string()
  .regex(/^\S+( \S+){4,5}$/, { error: 'a cron pattern with five or six fields, such as "0 2 * * *"' });

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** Why the library by which BullMQ runs cron patterns would not run this one; undefined when it would. */
const whyNeverDue = (pattern: string, timeZone: string): string | undefined => {
  try {
    CronExpressionParser.parse(pattern, { tz: timeZone }).next();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
};

const scheduleSchema = z
  .strictObject({
    timeZone: z
      .string()
      .refine(isTimeZone, { error: 'a time zone such as America/Chicago' })
      .default('UTC')
      .describe('Time zone of the cron patterns.'),
    takeFiles: cron.optional().describe('When files are taken from the inbox; at once when absent.'),
    poll: z
      .union([duration.refine((ms) => ms >= 1000), cron], {
        error: 'a duration of at least 1s such as 5m, or a cron pattern with five or six fields',
      })
      .prefault('5m')
      .describe('How often, or by which cron pattern, statuses are asked for.'),
    statusReport: cron.prefault('0 6 * * *').describe('When the status report is written.'),
  })
  .superRefine(({ timeZone, ...patterns }, context) => {
    for (const [setting, pattern] of Object.entries(patterns)) {
      const why = typeof pattern === 'string' ? whyNeverDue(pattern, timeZone) : undefined;
      if (why === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [setting],
        message: `"${pattern}" never runs: ${why}. Write a cron pattern such as "0 6 * * *" (every day at 6:00)`,
      });
    }
  })
  .prefault({});

const accountSchema = z.strictObject({
  ...apiOptionsShape,
  ...placingOptionsShape,
  baseUrl: apiOptionsShape.baseUrl.optional(),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where inbox, working, done, failed, results and reports stand; by default below the data folder. Each account needs its own.',
    ),
  warehouses: z.array(z.string().min(1)).default([]).describe("Warehouse codes beyond the spec's."),
  shipCodes: z.array(z.string().min(1)).default([]).describe("Shipping codes beyond the spec's."),
  finalStatuses: z
    .array(z.string().min(1))
    .min(1)
    .default([orderStatuses.at(-1)!])
    .describe('Order statuses after which nothing more is expected.'),
  closeUnchangedAfter: duration
    .prefault('180d')
    .describe('Orders that stand still for this long are closed.'),
  fileSettle: duration
    .prefault('5s')
    .describe('How long a file in the inbox must stand still before it is taken.'),
  filesReadableBy: z
    .enum(['owner', 'group'])
    .default('owner')
    .describe(
      "Who may read the account's purchase files, private copies, results and reports. With `group` members of the folders' group may read them and put files into a newly made inbox. Folders that exist keep their permissions.",
    ),
  incompleteFileSettle: duration
    .prefault('5m')
    .describe(
      'How long a file must not change that does not end as its kind must (a CSV file without a final line end, a workbook without its end) before it is picked up anyway. An upload may pause anywhere, also in the middle of a number.',
    ),
  cancelledAgain: z
    .enum(['hold', 'order'])
    .default('hold')
    .describe('A cancelled PO that is sent again unchanged: `hold` asks a person first, `order` orders it.'),
  restoredFiles: z
    .enum(['hold', 'order'])
    .default('hold')
    .describe(
      'POs of files that are imported again from done/ after the ledger was restored from a backup: `hold` asks a person first, `order` orders what the service does not have.',
    ),
  reportFormats: z
    .array(z.enum(['csv', 'xlsx', 'json']))
    .min(1)
    .default(['csv', 'xlsx'])
    .describe('What the status report is written as. With json, result files are written as JSON too.'),
  schedule: scheduleSchema,
  intake: intakeOptionsSchema.prefault({}).describe('How purchase files of this account are read.'),
});

const workerSchema = z
  .strictObject({
    lease: duration.prefault('60s').describe('How long one worker keeps a PO without a sign of life.'),
    sweepEvery: duration
      .prefault('30s')
      .describe('How often the ledger is searched for work that no job knows of.'),
    drain: duration
      .prefault('30s')
      .describe('How long running jobs may take to end when the worker is told to stop.'),
    concurrency: z
      .strictObject({
        importFile: z.int().min(1).max(8).default(1).describe('Files that one process reads at once.'),
        createCart: z
          .int()
          .min(1)
          .max(256)
          .default(24)
          .describe(
            'POs that one process places at once, from the first look to the order. A few more than inFlight keep the calls at their number.',
          ),
        addItems: z
          .int()
          .min(1)
          .max(256)
          .default(16)
          .describe('POs with an unfilled cart that one process takes up again at once.'),
        submitOrder: z
          .int()
          .min(1)
          .max(256)
          .default(16)
          .describe(
            'POs with a full cart, or an unclear submission, that one process takes up again at once.',
          ),
        pollStatus: z.int().min(1).max(16).default(2).describe('Accounts that one process polls at once.'),
        writeReport: z
          .int()
          .min(1)
          .max(8)
          .default(1)
          .describe('Result files and reports that one process writes at once.'),
      })
      .prefault({}),
  })
  .prefault({});

export const configSchema = z.strictObject({
  dataFolder: z
    .string()
    .min(1)
    .default('cartwright-data')
    .describe('Where everything is kept that is not in a database.'),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('How much the log of `up`, `watch`, `work` and `service` tells.'),
      format: z.enum(['readable', 'json']).optional().describe('Readable on a terminal, JSON otherwise.'),
    })
    .prefault({}),
  queueView: z
    .strictObject({
      host: z
        .enum(['127.0.0.1', 'localhost', '::1'])
        .default('127.0.0.1')
        .describe('Where `up` shows the job queue; on this machine only, since the page has no login.'),
      port: z
        .int()
        .min(0)
        .max(65535)
        .default(8490)
        .describe('Its port. If another program uses it, and with 0, a free one is chosen.'),
      readOnly: z
        .boolean()
        .default(true)
        .describe(
          'The page only shows jobs, and the workers resume queues that somebody paused or limited. With false the page can also pause queues and remove and retry jobs; what is paused then stays paused, and `status` shows it.',
        ),
    })
    .prefault({}),
  worker: workerSchema,
  accounts: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, { error: 'a name of small letters, digits, - and _' }),
      accountSchema,
    )
    .default({}),
  service: serviceConfigSchema
    .prefault({})
    .describe('The dealer order service that `cartwright service` runs.'),
});

export type FileConfig = z.infer<typeof configSchema>;

export interface Account extends Omit<z.infer<typeof accountSchema>, 'folder'> {
  name: string;
  /** Absolute. */
  folder: string;
  access: FileAccess;
  /** Undefined while nothing can be sent (no base URL, no secret): files can be checked, POs wait. */
  api: ApiOptions | undefined;
  /** Why nothing can be sent. */
  trouble: { code: 'no_service' | 'secret_missing'; message: string } | undefined;
  placing: PlacingRules;
  codeLists: { warehouses: readonly string[]; cartShipCodes: readonly string[] };
}

export interface Config extends Omit<FileConfig, 'accounts' | 'dataFolder'> {
  /** Absolute. */
  dataFolder: string;
  /** Where the configuration came from; undefined when there is no file. */
  file: string | undefined;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  accounts: Account[];
}
