import type { Refused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import { layoutKey } from './layout-key.ts';

/** A file whose meaning is not agreed yet: it waits, and nothing in it is ordered meanwhile. */
export interface Waits {
  kind: 'waits';
  code: string;
  /** The open points, in sentences. */
  message: string;
  /** Equal for files with the same header. */
  waitingKey: string;
  /** The probable header; undefined: none was found. */
  header: string[] | undefined;
}

/** Codes of refusals of an intact file whose meaning a person can clarify. */
const answerable: ReadonlySet<string> = new Set([
  'columns_ambiguous',
  'columns_contradict_header',
  'columns_missing',
  'columns_uncertain',
  'delimiter_ambiguous',
  'encoding_unknown',
  'header_differs',
  'header_two_rows',
  'header_unexpected',
  'join_ambiguous',
  'join_column_missing',
  'layout_ambiguous',
  'not_agreed',
  'po_number_ambiguous',
  'po_number_not_found',
  'second_po_number',
  'sheet_ambiguous',
  'sheet_hidden',
  'sheet_missing',
  'sheets_differ',
  'sheets_not_joined',
  'two_headers',
  'widths_differ',
]);

/** Converts a refusal that a person can resolve into a waiting file; undefined for others, such as a damaged file. Pure. */
export const waitsFor = ({ code, message, header }: Refused): Waits | undefined =>
  answerable.has(code)
    ? {
        kind: 'waits',
        code,
        message,
        waitingKey: header ? layoutKey(header) : `without header: ${code}`,
        header,
      }
    : undefined;

/** The outcome of reading a file, for accounts that let files with an unclear meaning wait. Pure. */
export const orWaits = <R extends { kind: 'read' } | Refused>(
  outcome: R,
  { unknownLayouts }: Pick<IntakeOptions, 'unknownLayouts'>,
): R | Waits =>
  (unknownLayouts === 'wait' && outcome.kind === 'refused' ? waitsFor(outcome) : undefined) ?? outcome;
