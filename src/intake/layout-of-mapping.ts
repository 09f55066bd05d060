import type { CodeLists } from '../contract/carts.ts';
import type { Refused } from '../errors.ts';
import { type FileMapping, withMapping } from './file-mapping.ts';
import { type ImportOutcome, importPurchaseFile } from './import-purchase-file.ts';
import { describing } from './layouts/answers.ts';
import type { Layout } from './layouts/layout.ts';
import { asLayout, type LayoutOfHeader } from './layouts/layout-settings.ts';
import type { SeenColumn } from './layouts/seen-column.ts';
import type { IntakeOptions } from './options.ts';
import { readPurchaseFile } from './read-purchase-file.ts';

interface OneFile {
  path: string;
  fileName: string;
  signal?: AbortSignal;
}

interface AccountOfFile {
  intake: IntakeOptions;
  codeLists: CodeLists;
}

/**
 * A person's mapping of one file, as a layout for all files with its header.
 *
 * @param layouts may read the file if the person did not map columns
 * @returns a refusal if the file cannot be read that way
 */
export const layoutOfMapping = async (
  { intake }: Pick<AccountOfFile, 'intake'>,
  file: OneFile,
  mapping: FileMapping,
  layouts: readonly Layout[] = [],
): Promise<{ kind: 'layout'; layout: LayoutOfHeader } | Refused> => {
  const options = withMapping(intake, mapping);
  const opened = await readPurchaseFile({ ...file, options, layouts });
  if (opened.kind === 'refused') return opened;
  opened.close();
  const { detection } = opened;
  const agreed = layouts.find(({ id }) => id === detection.layout?.id);
  return { kind: 'layout', layout: agreed ?? asLayout(detection, opened.options, mapping) };
};

/** What a whole file says in columns that are not read, and besides its lines. */
export type SaidByFile = Pick<Extract<ImportOutcome, { kind: 'read' }>, 'seen' | 'unsaid' | 'news'>;

/** The same, after a person has agreed that these columns describe the items. Pure. */
export const withDescribing = (said: SaidByFile, columns: readonly SeenColumn[]): SaidByFile => {
  const agreed = new Set(columns.map(({ column }) => column));
  const others = (found: readonly SeenColumn[]) => found.filter(({ column }) => !agreed.has(column));
  const values = [{ key: describing, text: '', rows: 0 }];
  return {
    ...said,
    seen: [...others(said.seen), ...columns.map(({ column, header }) => ({ column, header, values }))],
    unsaid: others(said.unsaid),
  };
};

/**
 * Reads a whole file for its ignored columns and other content, with a person's decisions. Stores nothing.
 *
 * @param layouts of its account: known values are not reported again
 * @returns empty if the file cannot be read that way
 */
export const readSaid = async (
  { intake, codeLists }: AccountOfFile,
  file: OneFile,
  mapping: FileMapping,
  layouts: readonly Layout[],
): Promise<SaidByFile> => {
  const outcome = await importPurchaseFile({
    ...file,
    layouts,
    codeLists,
    options: withMapping(intake, mapping),
    accountColumns: intake.columns,
    isMapped: true,
    stage: { add: async () => {} },
  });
  return outcome.kind === 'read' ? outcome : { seen: [], unsaid: [], news: [] };
};
