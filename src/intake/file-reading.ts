import { type FileMapping, fileMappingSchema, withMapping } from './file-mapping.ts';
import { optionsOfLayout } from './layouts/layout-settings.ts';
import type { IntakeOptions } from './options.ts';

/** By what one file is read, beside the layouts of its account. */
export interface FileReading {
  options: IntakeOptions;
  /** A person said how this one file is read, so no layout does. */
  isMapped: boolean;
  /** `intake.columns` of the account. */
  accountColumns: IntakeOptions['columns'];
  /** The header under which the values of its columns are known, if it is not its own. @see CorrectedRows */
  headerKey?: string;
}

/** How rows are read that were corrected in the browser. */
export interface CorrectedRows {
  /** As the settings of a layout, so that nothing of the account's applies that says how its files are written. */
  settings: FileMapping;
  /** The header of the file that the rows come from. */
  headerKey: string;
}

/** What the ledger has of how a file is read. */
export interface StoredReading {
  mapping: unknown;
  correction: { settings: unknown; headerKey: string } | null;
}

/** By the account's settings, with what a person decided about the file over them. Pure. */
export const mappedReading = (account: IntakeOptions, mapping: FileMapping): FileReading => ({
  options: withMapping(account, mapping),
  isMapped: Object.keys(mapping).length > 0,
  accountColumns: account.columns,
});

/** As the file was read that the rows come from. Pure. */
export const correctedReading = (
  account: IntakeOptions,
  { settings, headerKey }: CorrectedRows,
): FileReading => ({
  // The rows are written with quotes, whatever the files of the account are.
  options: { ...optionsOfLayout(account, settings), quotes: true },
  isMapped: true,
  accountColumns: account.columns,
  headerKey,
});

/** @param stored undefined: nobody decided anything about the file @throws ZodError if another version stored it */
export const storedReading = (account: IntakeOptions, stored: StoredReading | undefined): FileReading => {
  const correction = stored?.correction;
  if (correction)
    return correctedReading(account, {
      ...correction,
      settings: fileMappingSchema.parse(correction.settings),
    });
  return mappedReading(account, fileMappingSchema.parse(stored?.mapping ?? {}));
};
