import type { RowIssue } from '../types.ts';

/** An issue of a row; what was found and expected can be added. Pure. */
export const issueAt = (
  rowNumber: number,
  poNumber: string | undefined,
  column: string,
  code: string,
  message: string,
): RowIssue => ({
  rowNumber,
  poNumber,
  severity: 'issue',
  column,
  code,
  message,
  found: undefined,
  expected: undefined,
});
