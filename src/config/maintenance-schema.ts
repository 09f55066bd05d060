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
    at: cron
      .prefault('30 2 * * *')
      .describe('Cron pattern for the backups, and for removing what `retention` does not keep.'),
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

const kept = {
  files:
    "files: the dealer's own in done/, quotes/ and failed/, their private copies, result files and reports. A copy is kept from the day its last PO ended, and without it a result file is not written again",
  rows: 'rows of the ledger: the lines and row issues of a file, from the day its last PO ended, and changes of order status and recorded actions. POs, their orders and everything that was sent for them stay',
};

export const usualAges = { files: '730d', rows: '1095d' } as const;

/** The retention periods of files and rows. */
export const retentionSchema = z
  .strictObject({
    files: age.prefault(usualAges.files).describe(`How long to keep ${kept.files}.`),
    rows: age.prefault(usualAges.rows).describe(`How long to keep ${kept.rows}.`),
  })
  .prefault({});
