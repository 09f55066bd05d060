/**
 * Codes of refusals that no other way of reading the same bytes can settle: the file is cut off, locked, empty, too large or something
 * else than a table. All other codes ask what the file means.
 */
const anotherFile: ReadonlySet<string> = new Set([
  'damaged_workbook',
  'empty_file',
  'encoding_unknown',
  'encrypted_workbook',
  'file_too_large',
  'header_differs',
  'join_too_large',
  'name_and_content_differ',
  'no_rows',
  'not_a_purchase_file',
  'nul_byte',
  'record_too_long',
  'too_much_memory',
  'too_slow',
  'truncated_end',
  'unclear_table',
  'workbook_too_large',
]);

/** Whether a refused file can be read if a person says how. False: only another file helps. Pure. */
export const canBeReadAgain = (reasonCode: string | null): boolean =>
  reasonCode === null || !anotherFile.has(reasonCode);

/** @internal for tests */
export const codesOfAnotherFile: readonly string[] = [...anotherFile];
