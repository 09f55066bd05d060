import { z } from 'zod';
import { cartShipCodes, orderStatuses, warehouses } from '../contract/codes.ts';
import { apiOptionsShape } from '../dealer-api/options.ts';
import { intakeSettingsSchema } from '../intake/options.ts';
import { placingOptionsShape } from '../placing/options.ts';
import { cron, refuseNeverDue, timeZone } from './cron.ts';
import { duration } from './duration.ts';
import { isClosedDay, readOpeningTimes } from './opening-hours.ts';
import { sftpSchema } from './sftp-schema.ts';
import { syncSchema } from './sync-schema.ts';

const intervalOrCron =
  'must be an interval of at least 1s such as 5m, or a cron pattern with five or six fields such as "0 2 * * *"';

const scheduleSchema = z
  .strictObject({
    timeZone: timeZone.describe('Time zone of the cron patterns.'),
    takeFiles: cron
      .optional()
      .describe(
        'Cron pattern for picking up files from the inbox. If not set, files are picked up as they arrive. Runs missed while the account is closed start when it opens.',
      ),
    poll: z
      .union([duration.refine((ms) => ms >= 1000, { error: intervalOrCron }), cron], {
        error: intervalOrCron,
      })
      .prefault('5m')
      .describe('Interval or cron pattern for fetching order statuses.'),
    statusReport: cron.prefault('0 6 * * *').describe('Cron pattern for writing the status report.'),
    expectFiles: cron
      .optional()
      .describe(
        'Cron pattern of the times by which a file must have arrived that day, such as "30 9 * * 1-5"; otherwise a notification says so.',
      ),
    open: z
      .string()
      .refine((text) => readOpeningTimes(text) !== undefined, {
        error: 'must be two different times such as 08:00-17:00, the second up to 24:00',
      })
      .optional()
      .describe(
        'When files are picked up and orders are started, such as `08:00-17:00` (nothing after 17:00) or `08:00-24:00`. What was started is finished. If not set: at any time.',
      ),
    closedOn: z
      .array(
        z.string().refine(isClosedDay, {
          error:
            'must be a day such as 2026-11-26, a day of every year such as 12-25, or a weekday such as sat',
        }),
      )
      .default([])
      .describe(
        'Days on which no files are picked up and no orders are started: holidays such as `2026-11-26`, days of every year such as `12-25`, weekdays such as `sat`.',
      ),
  })
  .superRefine(refuseNeverDue)
  .prefault({});

/** One account in cartwright.yaml. */
export const accountSchema = z.strictObject({
  ...apiOptionsShape,
  ...placingOptionsShape,
  baseUrl: apiOptionsShape.baseUrl.optional(),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the account, with inbox, done, failed, results and reports in it. A relative path is relative to dataFolder; the default is accounts/NAME. Each account needs its own folder.',
    ),
  warehouses: z
    .array(z.string().min(1))
    .default([])
    .describe(`Additional warehouse codes accepted in purchase files (built in: ${warehouses.join(', ')}).`),
  shipCodes: z
    .array(z.string().min(1))
    .default([])
    .describe(
      `Additional shipping codes accepted in purchase files (built in: ${cartShipCodes.join(', ')}).`,
    ),
  finalStatuses: z
    .array(z.string().min(1))
    .min(1)
    .default([orderStatuses.at(-1)!])
    .describe('Final order statuses. A PO is closed once all its orders have one of them.'),
  lateAfter: duration
    .prefault('7d')
    .describe('An order that has not shipped this long after it was placed is late in the status report.'),
  fileSettle: duration
    .prefault('5s')
    .describe('A file in the inbox is picked up once it has not changed for this long.'),
  filesReadableBy: z
    .enum(['owner', 'group'])
    .default('owner')
    .describe(
      "Who may read the account's purchase files, private copies, results and reports. With `group`, members of the folders' group may read them and put files into an inbox that Cartwright creates. Existing folders keep their permissions.",
    ),
  answers: z
    .strictObject({
      to: z
        .array(z.email({ error: 'must be an e-mail address' }))
        .min(1)
        .describe(
          'The dealer’s addresses. A result file is sent once every PO of its file has an outcome, and again if one changes; the status report when its schedule says. Needs `notifications.smtp`.',
        ),
    })
    .optional()
    .describe('Sends the dealer his files by e-mail. If not set, nothing is sent.'),
  reportFormats: z
    .array(z.enum(['csv', 'xlsx', 'json']))
    .min(1)
    .default(['csv', 'xlsx'])
    .describe('Formats of the status report. With json, result files are written as JSON too.'),
  sync: syncSchema.prefault({}),
  sftp: sftpSchema
    .optional()
    .describe('Fetches files from the SFTP server of the dealer, and delivers results and reports to it.'),
  schedule: scheduleSchema,
  intake: intakeSettingsSchema.prefault({}).describe('How purchase files of this account are read.'),
});
