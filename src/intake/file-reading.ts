import { type FileMapping, fileMappingSchema, withMapping } from './file-mapping.ts';
import { optionsOfLayout } from './layouts/layout-settings.ts';
import type { IntakeOptions } from './options.ts';

/** How one file is read, apart from its account's layouts. */
export interface FileReading {
  options: IntakeOptions;
  /** A person mapped this file, so no layout applies. */
  isMapped: boolean;
  /** `intake.columns` of the account. */
  accountColumns: IntakeOptions['columns'];
  /** The header under which known values are stored, if it is not its own. @see CorrectedRows */
  headerKey?: string;
}

/** How to read rows that were corrected in the browser. */
export interface CorrectedRows {
  /** In the form of a layout, so that the account's file format settings do not apply. */
  settings: FileMapping;
  /** The header of the file that the rows come from. */
  headerKey: string;
}

/** The stored form of how a file is read. */
export interface StoredReading {
  mapping: unknown;
  correction: { settings: unknown; headerKey: string } | null;
}

/** The reading by the account's settings, overridden by a person's mapping. Pure. */
export const mappedReading = (account: IntakeOptions, mapping: FileMapping): FileReading => ({
  options: withMapping(account, mapping),
  isMapped: Object.keys(mapping).length > 0,
  accountColumns: account.columns,
});

/** The reading of corrected rows: like the file that they come from. Pure. */
export const correctedReading = (
  account: IntakeOptions,
  { settings, headerKey }: CorrectedRows,
): FileReading => ({
  // Corrected rows are written with quotes, whatever the account's files use.
  options: { ...optionsOfLayout(account, settings), quotes: true },
  isMapped: true,
  accountColumns: account.columns,
  headerKey,
});

/** @param stored undefined: nobody mapped the file @throws ZodError if another version stored it */
export const storedReading = (account: IntakeOptions, stored: StoredReading | undefined): FileReading => {
  const correction = stored?.correction;
  if (correction)
    return correctedReading(account, {
      ...correction,
      settings: fileMappingSchema.parse(correction.settings),
    });
  return mappedReading(account, fileMappingSchema.parse(stored?.mapping ?? {}));
};
