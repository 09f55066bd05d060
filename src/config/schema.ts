import { z } from 'zod';
import { serviceConfigSchema } from '../service/config.ts';
import { accountSchema } from './account-schema.ts';
import { consoleSchema } from './console-schema.ts';
import { duration } from './duration.ts';
import { backupSchema, retentionSchema } from './maintenance-schema.ts';
import { notificationSchema } from './notification-schema.ts';

const workerSchema = z
  .strictObject({
    lease: duration
      .prefault('60s')
      .describe('How long a PO stays reserved for a worker that has stopped sending heartbeats.'),
  })
  .prefault({});

const healthSchema = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address on which `work` and `watch` serve their health and metrics. Other addresses than those of this machine alone ask for a token (`cartwright tokens add`).',
      ),
    port: z
      .int()
      .min(0)
      .max(65535)
      .optional()
      .describe(
        'Port for the health and metrics of `work` and `watch`; 0 chooses a free one. If not set, they serve none. `up` and `console` serve theirs on the port of the console.',
      ),
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
    })
    .prefault({}),
  console: consoleSchema,
  worker: workerSchema,
  health: healthSchema,
  backup: backupSchema,
  retention: retentionSchema,
  accounts: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, {
        error: 'must be a name of lower-case letters, digits, - and _ (at most 40)',
      }),
      accountSchema,
    )
    .default({}),
  notifications: notificationSchema,
  service: serviceConfigSchema
    .prefault({})
    .describe('The dealer order service that `cartwright service` runs.'),
});

/** The checked settings of cartwright.yaml with their defaults, under the names that users write; durations in milliseconds. */
export type Settings = z.infer<typeof configSchema>;
