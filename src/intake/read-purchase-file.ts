import { stat } from 'node:fs/promises';
import { FileRefused, type Refused, refusedBy } from '../errors.ts';
import { shellWord } from '../shell-word.ts';
import {
  chooseTable,
  detectionOf,
  recordedTable,
  type TableToRead,
  withPoNumber,
  withStates,
} from './chosen-table.ts';
import { refuseOtherWidths } from './columns/find-header.ts';
import { openCsv } from './formats/csv/open-csv.ts';
import { detectFormat } from './formats/detect-format.ts';
import { detectMarkupEncoding } from './formats/spreadsheet/markup-encoding.ts';
import { openSpreadsheet } from './formats/spreadsheet/open-spreadsheet.ts';
import { joinTables, withoutKeys } from './joined-tables.ts';
import { refuseBareNames } from './layouts/bare-names.ts';
import { findAgreed } from './layouts/find-agreed.ts';
import type { Layout } from './layouts/layout.ts';
import { isNoOrder, isOfPerson } from './layouts/layout-words.ts';
import { likelyHeader } from './layouts/likely-header.ts';
import { nearestLayout, sayDifference } from './layouts/nearest-layout.ts';
import { waitsFor } from './layouts/unknown-meaning.ts';
import type { FileIdentity } from './made-po-number.ts';
import type { IntakeOptions } from './options.ts';
import { type OtherSheets, otherSheets } from './other-sheets.ts';
import { rowsBelow } from './rows-below.ts';
import { stackSheets } from './stacked-sheets.ts';
import type { ColumnShape, Detection, RawRow, Table, TableSource } from './types.ts';

export type OpenedPurchaseFile =
  | (OtherSheets & {
      kind: 'opened';
      detection: Detection;
      /** The account's settings merged with those of the matching layout, for the rows. */
      options: IntakeOptions;
      /** The dealer's header texts, in order; `column 3` where there is none. */
      header: string[];
      /** The rows above the header. */
      titleRows: RawRow[];
      /** Widths and visibility of the columns, in order, if the file has them. */
      shapes: ColumnShape[];
      unseenStrike: Table['unseenStrike'];
      /**
       * The rows below the header in the file's order, without blank rows. Can be read once.
       * Throws FileRefused when a later part of the file is broken.
       */
      batches: AsyncIterable<RawRow[]>;
      /** Stops reading. Needed only if `batches` is not read to its end. Idempotent. */
      close(): void;
    })
  | Refused;

export interface PurchaseFile {
  path: string;
  /** The dealer's file name: its ending, and the PO number if the account reads it from there. */
  fileName: string;
  /** Its name in `cartwright map` commands in messages; default: the file name. */
  mapArgument?: string;
  options: IntakeOptions;
  /** The detection of an earlier reading; the file is then read again in exactly the same way. */
  detection?: Detection;
  /** Used to make a PO number; undefined: only a preview. */
  identity?: FileIdentity;
  /** The agreed layouts of the account. */
  layouts?: readonly Layout[];
  /** A person mapped this file in `options`, so no layout applies. */
  isMapped?: boolean;
  signal?: AbortSignal;
}

/** The table of a file that is read for the first time, by the account's settings. @throws FileRefused */
const chooseFor = (source: TableSource, file: PurchaseFile): TableToRead => {
  const options = withoutKeys(source, file.options);
  const chosen = withStates(chooseTable(source, options, file.mapArgument ?? shellWord(file.fileName)));
  refuseBareNames(chosen.header.columns, options);
  return withPoNumber(chosen, file.fileName, source.combined, file.identity);
};

const refuseLarge = async (path: string, maxBytes: number) => {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  throw new FileRefused(
    'file_too_large',
    `The file has ${size} bytes, and at most ${maxBytes} are read. Split the file.`,
  );
};

/** Opens a file with the reader for its format. @throws FileRefused */
const openFile = async (file: PurchaseFile): Promise<TableSource> => {
  const { path, options, detection, signal } = file;
  const kind = await detectFormat(path, file.fileName);
  if (kind === 'text') {
    await refuseLarge(path, options.limits.maxFileBytes);
    return openCsv(path, options, detection, signal);
  }
  await refuseLarge(path, Math.min(options.limits.maxFileBytes, options.limits.maxSpreadsheetBytes));
  const encoding =
    kind === 'html' || kind === 'xml'
      ? await detectMarkupEncoding(
          path,
          kind,
          { ...options, encoding: detection?.encoding ?? options.encoding },
          signal,
        )
      : undefined;
  return openSpreadsheet({ path, kind, encoding, limits: options.limits, signal });
};

/** Combines the tables of a file if its orders are in several of them. @throws FileRefused */
const combine = async (source: TableSource, file: PurchaseFile): Promise<TableSource> => {
  const { detection, options } = file;
  try {
    if (detection) {
      const { combined } = detection;
      if (combined?.kind === 'joined') return await joinTables(source, options, combined);
      return combined ? stackSheets(source, options, combined) : source;
    }
    const joined = await joinTables(source, options);
    return joined.combined ? joined : stackSheets(joined, options);
  } catch (error) {
    source.close();
    throw error;
  }
};

/** Opens a file, and combines its tables if its orders are in several of them. @throws FileRefused */
export const openSource = async (file: PurchaseFile): Promise<TableSource> =>
  combine(await openFile(file), file);

interface Opening {
  source: TableSource;
  /** The file with its settings. */
  file: PurchaseFile;
  layout?: Layout;
}

/** Opens a file by the layout of its header; undefined if no layout has it. @throws FileRefused */
const openByLayout = async (file: PurchaseFile, layouts: readonly Layout[]): Promise<Opening | undefined> => {
  if (file.detection || layouts.length === 0) return undefined;
  const matched = await findAgreed(file, layouts, openFile);
  if (!matched) return undefined;
  const { layout, options, source } = matched;
  if (layout.kind === 'no_order') {
    source.close();
    throw new FileRefused('no_order', isNoOrder(layout));
  }
  const agreed = { ...file, options };
  return { source: await combine(source, agreed), file: agreed, layout };
};

const openWith = async (file: PurchaseFile, open: () => Promise<Opening>): Promise<OpenedPurchaseFile> => {
  let source: TableSource | undefined;
  try {
    const opening = await open();
    source = opening.source;
    const { layout } = opening;
    const chosen = file.detection
      ? recordedTable(source, file.detection, file.options)
      : chooseFor(source, opening.file);
    if (!file.detection && source.format === 'csv') refuseOtherWidths(chosen.table, chosen.header);
    const { header, options } = chosen;
    const firstRow = Math.max(header.headerRow ?? 0, options.skipRows) + 1;
    return {
      kind: 'opened',
      detection: file.detection ?? detectionOf(source, chosen, layout),
      options,
      header: header.columns.map((column) => column.header),
      titleRows: [...header.titleRows, ...(source.beside?.titleRows ?? [])],
      ...otherSheets(source, chosen),
      shapes: chosen.table.shapes ?? [],
      unseenStrike: chosen.table.unseenStrike,
      batches: rowsBelow(source, chosen.at, firstRow, header.columns),
      close: source.close,
    };
  } catch (error) {
    source?.close();
    if (!(error instanceof FileRefused)) throw error;
    const header = source && likelyHeader(source.tables);
    return { ...refusedBy(error), ...(header ? { header } : {}) };
  }
};

/**
 * Opens a purchase file of any format: detects format, encoding, delimiter, sheet, header and columns, explains each
 * decision, and returns the rows. Reading the same bytes again with the recorded detection returns the same rows.
 * Spreadsheets are read in a child process under `options.limits`, which ends with `batches` or with `close`.
 *
 * Throws errors that are not about the file's content: the file is missing, no permission, an unknown `intake.encoding`.
 */
export const readPurchaseFile = async (file: PurchaseFile): Promise<OpenedPurchaseFile> => {
  const opened = await openPurchaseFile(file);
  return opened.kind === 'refused' && !file.isMapped ? besideNearest(opened, file.layouts ?? []) : opened;
};

const openPurchaseFile = async (file: PurchaseFile): Promise<OpenedPurchaseFile> => {
  const layouts = file.isMapped ? [] : (file.layouts ?? []);
  const agreed = layouts.filter(isOfPerson);
  const usual = async (): Promise<Opening> => ({ source: await openSource(file), file });
  const first = await openWith(file, async () => (await openByLayout(file, agreed)) ?? usual());
  if (first.kind === 'opened' || !waitsFor(first) || agreed.length === layouts.length) return first;
  // Layouts from old settings or earlier imports are only the fallback.
  const remembered = await openByLayout(
    file,
    layouts.filter((layout) => !isOfPerson(layout)),
  );
  return remembered ? openWith(file, () => Promise.resolve(remembered)) : first;
};

/** Refusals because of column names, where the difference from an agreed header is more helpful. */
const aboutColumns: ReadonlySet<string> = new Set([
  'columns_ambiguous',
  'columns_missing',
  'columns_uncertain',
  'header_differs',
  'not_agreed',
]);

/** The refusal, or the difference from an agreed header that is nearly the file's. */
const besideNearest = (refused: Refused, layouts: readonly Layout[]): Refused => {
  const nearest = aboutColumns.has(refused.code) ? nearestLayout(layouts, refused.header) : undefined;
  if (!nearest) return refused;
  // If two columns could be the same field, the difference names neither.
  const next =
    refused.code === 'columns_ambiguous' ? refused.message : 'Look at what would be ordered, and confirm it.';
  return { ...refused, message: `${sayDifference(nearest)} ${next}` };
};
