import { z } from 'zod';
import { serviceConfigSchema } from '../service/config.ts';
import { accountSchema } from './account-schema.ts';
import { duration } from './duration.ts';

const workerSchema = z
  .strictObject({
    lease: duration
      .prefault('60s')
      .describe('How long a PO stays reserved for a worker that has stopped sending heartbeats.'),
    sweepEvery: duration
      .prefault('30s')
      .describe('How often the ledger is searched for work that has no job in the queue.'),
    drain: duration
      .prefault('30s')
      .describe('How long a worker that is stopping waits for running jobs to finish.'),
    concurrency: z
      .strictObject({
        importFile: z
          .int()
          .min(1)
          .max(8)
          .default(1)
          .describe('Number of files that one process reads at the same time.'),
        createCart: z
          .int()
          .min(1)
          .max(256)
          .default(24)
          .describe(
            'Number of POs that one process places at the same time, from the first lookup to the order. Set it a little above inFlight so that inFlight is always used up.',
          ),
        addItems: z
          .int()
          .min(1)
          .max(256)
          .default(16)
          .describe(
            'Number of interrupted POs with an unfilled cart that one process resumes at the same time.',
          ),
        submitOrder: z
          .int()
          .min(1)
          .max(256)
          .default(16)
          .describe(
            'Number of interrupted POs with a full cart, or an unknown submission result, that one process resumes at the same time.',
          ),
        pollStatus: z
          .int()
          .min(1)
          .max(16)
          .default(2)
          .describe('Number of accounts that one process polls at the same time.'),
        writeReport: z
          .int()
          .min(1)
          .max(8)
          .default(1)
          .describe('Number of result files and reports that one process writes at the same time.'),
      })
      .prefault({}),
  })
  .prefault({});

/** The settings of cartwright.yaml, under the names that users write. */
export const configSchema = z.strictObject({
  dataFolder: z
    .string()
    .min(1)
    .default('cartwright-data')
    .describe(
      'Folder for everything that is not in a database: the accounts and the built-in Postgres. A relative path is relative to the configuration file.',
    ),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('Log verbosity of `up`, `watch`, `work` and `service`.'),
      format: z
        .enum(['readable', 'json'])
        .optional()
        .describe('Log format. If not set, readable on a terminal and JSON otherwise.'),
    })
    .prefault({}),
  queueView: z
    .strictObject({
      host: z
        .enum(['127.0.0.1', 'localhost', '::1'])
        .default('127.0.0.1')
        .describe(
          'Address on which `up` serves the queue view. Only this machine can open it, because the page has no login.',
        ),
      port: z
        .int()
        .min(0)
        .max(65535)
        .default(8490)
        .describe(
          'Port of the queue view. With 0, or if another program uses the port, a free one is chosen.',
        ),
      readOnly: z
        .boolean()
        .default(true)
        .describe(
          'With true, the queue view only shows jobs, and workers resume queues that were paused or limited from outside. With false, the queue view can also pause queues and remove or retry jobs; a paused queue then stays paused, and `status` shows it.',
        ),
    })
    .prefault({}),
  worker: workerSchema,
  accounts: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, {
        error: 'must be a name of lower-case letters, digits, - and _ (at most 40)',
      }),
      accountSchema,
    )
    .default({}),
  service: serviceConfigSchema
    .prefault({})
    .describe('The dealer order service that `cartwright service` runs.'),
});

/** cartwright.yaml, checked and with its defaults; durations are in milliseconds under the names that users write. */
export type Settings = z.infer<typeof configSchema>;
