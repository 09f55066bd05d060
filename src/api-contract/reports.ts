import { z } from 'zod';
import { accountName, givenTime, id, listQuery, note, orNull, pageOf, time } from './basics.ts';

/** A written file: an account's last status report, or the result file of an import. */
export const report = z.object({
  kind: z.enum(['status_report', 'result']),
  account: accountName,
  fileName: z.string(),
  importId: orNull(id, 'Of a result file.'),
  sourceName: orNull(z.string(), 'The file that the result answers.'),
  writtenAt: time.nullable(),
  due: z.boolean().describe('True: something has changed since it was written; it is written again.'),
  href: z.string().describe('Path of the download.'),
  available: z.boolean(),
  why: orNull(z.string(), 'Why it cannot be downloaded here, in a sentence.'),
  others: z
    .array(z.object({ format: z.string(), fileName: z.string(), href: z.string() }))
    .describe('The same report in the other formats that it was written in: lines as CSV, XLSX, JSON.'),
});

/** `GET /reports`, by when they were written, latest first: the last status report of each account, and result files. */
export const reportsQuery = z.object({
  ...listQuery,
  account: accountName.optional(),
  from: givenTime.optional().describe('Picked up at or after.'),
  to: givenTime.optional(),
});
export const reportsAnswer = pageOf(report);

/** `POST /reports`: writes an account's status report or an import's result file now. */
export const writeReportRequest = z.union(
  [z.strictObject({ account: accountName, note }), z.strictObject({ importId: id, note })],
  'an object with account or importId, and if you like note',
);
export const writeReportAnswer = z.object({ sentence: z.string() });

export type Report = z.infer<typeof report>;
export type ReportsAnswer = z.infer<typeof reportsAnswer>;
