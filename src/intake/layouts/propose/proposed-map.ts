import type { FieldName, RequiredField } from '../../columns/fields.ts';
import type { IntakeOptions } from '../../options.ts';
import type { Decision } from '../../types.ts';
import type { ProposedPoSource } from './propose-po-source.ts';
import type { SampleRow } from './sample-lines.ts';

export interface ProposedColumn {
  header: string;
  field: FieldName | null;
  /** Why it holds this field, as a phrase for a person; undefined without a field. */
  why: string | undefined;
  /** False if a person must confirm the field. True for a column without a field. */
  certain: boolean;
  /** The first few values. */
  values: string[];
}

/** Settings of `intake` that the file needs besides the columns. */
export interface ProposedSettings {
  decimal?: 'comma' | 'point';
  continuationRows?: true;
  itemInBrackets?: true;
  headerRows?: 2;
  header?: 'none';
  join?: NonNullable<IntakeOptions['join']>;
  stateNames?: 'convert';
  poNumberFrom?: ProposedPoSource['from'];
}

export type ProposedMap =
  | {
      kind: 'proposed';
      sheet: string | undefined;
      /** Null if the file has none; columns are then named by number. */
      headerRow: number | null;
      columns: ProposedColumn[];
      /** The entries that `intake.columns` of the account needs; recognised headers need none. */
      map: Record<string, FieldName | 'ignore'>;
      settings: ProposedSettings;
      /** Where the PO number of the whole file is, if no column has it. */
      poSource: ProposedPoSource | undefined;
      /** Required fields that were not found. */
      missing: RequiredField[];
      /** For each of them, the reason. */
      doubts: Partial<Record<RequiredField, string>>;
      /** For each of them, possible headers, likeliest first. */
      candidates: Partial<Record<RequiredField, string[]>>;
      samples: SampleRow[];
      decisions: Decision[];
    }
  | { kind: 'refused'; code: string; message: string };

export type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;
