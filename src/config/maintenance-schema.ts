import { z } from 'zod';
import { cron, refuseNeverDue, timeZone } from './cron.ts';
import { duration } from './duration.ts';

/** Regular backups of the ledger. */
export const backupSchema = z
  .strictObject({
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder for regular backups of the ledger, best on another disk or machine; without it there are none. A relative path is relative to the configuration file.',
      ),
    at: cron.prefault('30 2 * * *').describe('Cron pattern for the backups.'),
    timeZone: timeZone.describe('Time zone of backup.at.'),
    keep: z.int().min(1).max(10_000).default(14).describe('How many regular backups are kept in the folder.'),
  })
  .superRefine(refuseNeverDue)
  .prefault({});

const dayMs = 86_400_000;
const leastDays = 30;
const forever = 'forever';
const ageError = `must be a duration of at least ${leastDays}d such as 730d, or ${forever}`;

/** In milliseconds; null: forever. */
const age = z.union(
  [
    z.literal(forever).transform(() => null),
    duration.refine((ms) => ms >= leastDays * dayMs, { error: ageError }),
  ],
  { error: ageError },
);

/** What is removed after a time, with the default and the meaning of its setting. */
const kinds = {
  files: ['730d', "the dealer's files in done/, quotes/ and failed/, from the day they were put there"],
  copies: [
    '730d',
    'the private copies in files/, from the day their last PO ended. Without its copy, a result file is not written again',
  ],
  results: ['730d', 'result files, from the day they were last written'],
  reports: ['730d', 'status reports, from the day they were written'],
  rows: [
    '1095d',
    'the lines and row issues of a file in the ledger, from the day its last PO ended. POs, their orders and everything that was sent for them stay',
  ],
  changes: ['1095d', 'changes of order status in the ledger, of POs that have ended'],
  activity: ['1095d', 'recorded actions that are not about a PO or a file, such as sign-ins'],
} as const satisfies Record<string, readonly [string, string]>;

export type RetentionKind = keyof typeof kinds;
export const retentionKinds = Object.keys(kinds) as RetentionKind[];

type AgeSchema = typeof age;

const agesOf = <S extends z.ZodType>(make: (kind: RetentionKind) => S): Record<RetentionKind, S> =>
  Object.fromEntries(retentionKinds.map((kind) => [kind, make(kind)])) as Record<RetentionKind, S>;

/** When old files and rows are removed, and how old they are then. */
export const retentionSchema = z
  .strictObject({
    at: cron.prefault('30 3 * * *').describe('Cron pattern for removing what is older than the following.'),
    timeZone: timeZone.describe('Time zone of retention.at.'),
    ...agesOf((kind) => age.prefault(kinds[kind][0]).describe(`How long to keep ${kinds[kind][1]}.`)),
  })
  .superRefine(refuseNeverDue)
  .prefault({});

/** Ages of one account, where they differ. Recorded actions that belong to no account have none. */
export const accountRetentionSchema = z
  .strictObject(
    agesOf(
      (kind): z.ZodOptional<AgeSchema> => age.optional().describe(`As retention.${kind}, for this account.`),
    ),
  )
  .omit({ activity: true })
  .prefault({});
