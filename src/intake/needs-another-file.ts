/**
 * Codes of refusals that no other mapping of the same bytes can fix: the file is truncated, encrypted, empty, too large or not a table. All
 * other codes are questions about the meaning of the file.
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

/** Whether a mapping by a person can make a refused file readable. False: only another file helps. Pure. */
export const canBeReadAgain = (reasonCode: string | null): boolean =>
  reasonCode === null || !anotherFile.has(reasonCode);

/** @internal for tests */
export const codesOfAnotherFile: readonly string[] = [...anotherFile];
