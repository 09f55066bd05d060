import { z } from 'zod';
import { listQuery, pageOf } from './basics.ts';

const issueExample = z.object({
  rowNumber: z.int(),
  poNumber: z.string().nullable(),
  found: z.string().nullable(),
});
/** Row issues of one column and cause. */
export const issueGroup = z.object({
  column: z.string().describe('The dealer’s header.'),
  code: z.string(),
  severity: z.enum(['issue', 'note']).describe('An issue rejects its PO; a note only informs.'),
  message: z.string().describe('One sentence about the first row.'),
  expected: z.string().nullable(),
  fix: z.string().describe('How to fix it, in a sentence.'),
  count: z.int(),
  poCount: z.int().describe('POs that it rejects.'),
  rows: z.array(issueExample).describe('The first 20 rows.'),
});
/** `GET /imports/:id/issues`: at most 200 groups, those that reject most POs first. */
export const issuesAnswer = z.object({ groups: z.array(issueGroup), total: z.int() });

/** `GET /imports/:id/issues/rows`: every issue by row; also available as CSV. */
export const issueRowsQuery = z.object({
  ...listQuery,
  column: z.string().optional(),
  code: z.string().optional(),
});
export const issueRow = z.object({
  rowNumber: z.int(),
  poNumber: z.string().nullable(),
  severity: z.enum(['issue', 'note']),
  column: z.string(),
  code: z.string(),
  message: z.string(),
  found: z.string().nullable(),
  expected: z.string().nullable(),
});
export const issueRowsAnswer = pageOf(issueRow);

export type IssueGroup = z.infer<typeof issueGroup>;
export type IssuesAnswer = z.infer<typeof issuesAnswer>;
export type IssueRow = z.infer<typeof issueRow>;
