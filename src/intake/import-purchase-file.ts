import type { CodeLists } from '../contract/carts.ts';
import { FileRefused, type Refused, refusedBy } from '../errors.ts';
import type { FieldName } from './columns/fields.ts';
import { ignoredJoinKeys } from './joined-tables.ts';
import { withAnsweredElsewhere } from './layouts/answered-elsewhere.ts';
import { type DecidedValue, knownElsewhere, withDecided } from './layouts/known-values.ts';
import { asLayout, isAgreed, type LayoutOfHeader } from './layouts/layout-settings.ts';
import { isOfPerson } from './layouts/layout-words.ts';
import { looksLikeLine } from './layouts/line-above.ts';
import { nearestLayout, sayDifference, whyColumnsLost } from './layouts/nearest-layout.ts';
import { sayNews } from './layouts/news.ts';
import type { SeenColumn } from './layouts/seen-column.ts';
import { createColumnWatch } from './layouts/watch-columns.ts';
import { createOtherWatch, isLookedAt } from './layouts/watch-others.ts';
import { withSilentColumns } from './layouts/watched-columns.ts';
import { whyNotWhole } from './layouts/whole-address.ts';
import { addressAbove } from './notes/address-above.ts';
import { createColumnNotes } from './notes/column-notes.ts';
import { idleGuard } from './notes/idle-price-guard.ts';
import { createRepeatNotes } from './notes/repeated-lines.ts';
import { unseenStrikeNotes } from './notes/unseen-strike.ts';
import type { IntakeOptions } from './options.ts';
import { hiddenSheetNotes } from './other-sheets.ts';
import { createPoLabelWatch } from './po-labels.ts';
import { numberOfFile } from './po-number-source.ts';
import { type PurchaseFile, readPurchaseFile } from './read-purchase-file.ts';
import { createRowCheck } from './rows/check-row.ts';
import { countPieces } from './rows/count-pieces.ts';
import { createRowGrouping, type RowSink } from './rows/group-rows.ts';
import { agreedText, leftOutRow, noteAt } from './rows/row-issue.ts';
import type { CartOptionValues, CheckedRow, Detection, RawRow, Stage } from './types.ts';

export interface ReadingProgress {
  /** Rows below the header that were read. */
  rows: number;
}

/** The result of reading a file. The ledger decides which of its POs are ready, once all rows are staged. */
export type ImportOutcome =
  | {
      kind: 'read';
      detection: Detection;
      /** Rows below the header that are not blank. */
      rowCount: number;
      /** Defaults for the cart options of every PO. */
      optionDefaults: CartOptionValues;
      /** The dealer's header for each field, for later messages about the rows. */
      columnNames: Record<FieldName, string>;
      /** Why the price guard has no effect on this file, and what to do; undefined if it works. */
      idlePriceGuard?: string | undefined;
      /** The layout that would read files with this header in the same way. */
      asLayout: LayoutOfHeader;
      /** Values of ignored columns that may affect the order, and other content besides the lines. */
      seen: SeenColumn[];
      /** New content besides its lines that no earlier file had, in words. */
      news: string[];
      /** For the first file of a header: columns that may say not to order rows as they are. */
      unsaid: SeenColumn[];
    }
  | Refused;

export interface ImportRequest extends Omit<PurchaseFile, 'detection'> {
  /** The account's codes. */
  codeLists: CodeLists;
  stage: Stage;
  /** `intake.columns` of the account, if `options` also contain a mapping of this file. */
  accountColumns?: IntakeOptions['columns'];
  /** Refuse the file as `not_agreed` if it has content that nobody agreed to; otherwise only report it. */
  waitsForNews?: boolean;
  /** Nothing of it is ordered, whatever its name calls it. */
  quoteOnly?: boolean;
  /** The header under which known values are stored; default: its own. */
  headerKey?: string | undefined;
  /** A person's decisions about values of ignored columns. */
  decided?: readonly DecidedValue[];
  /** The account has a price guard, so the file should contain expected prices. */
  priceGuard?: boolean;
  onProgress?: (progress: ReadingProgress) => void;
}

/** The cells of an order's row apply to each of its lines. */
const withHeading = (row: RawRow, heading: RawRow): RawRow => ({
  ...row,
  cells: row.cells.map((cell, at) => (cell.trim() === '' ? (heading.cells[at] ?? '') : cell)),
});

/**
 * Reads a purchase file, checks every row against the contract, and passes rows and issues to `stage` in the file's order. Memory does not
 * grow with the file. No PO is ready before the whole file is read: a file broken on its last line is refused as a whole, and the caller
 * must drop the staged rows.
 *
 * Throws errors of `stage` and of the system (the file is missing).
 */
export const importPurchaseFile = async (request: ImportRequest): Promise<ImportOutcome> => {
  const { stage, onProgress, signal } = request;
  const opened = await readPurchaseFile(request);
  if (opened.kind === 'refused') return opened;
  try {
    const { detection, options } = opened;
    const rowCheck = createRowCheck(detection, options, request.codeLists);
    const grouping = createRowGrouping(rowCheck, detection, options);
    const columnNotes = createColumnNotes(detection.columns, options);
    const lineNotes = createRepeatNotes(detection.columns);
    const otherPos = createPoLabelWatch(detection, options);
    const { decided = [], layouts = [], isMapped } = request;
    const own = asLayout(detection, options);
    const key = request.headerKey ?? own.headerKey;
    const layout = layouts.find(({ headerKey }) => headerKey === key);
    // Who wrote a layout has not seen what else its files say.
    const isFirst = layout === undefined || (isOfPerson(layout) && !isLookedAt(layout.known));
    const values = withDecided(withSilentColumns(layout?.known, detection.columns), decided);
    const columnWatch = createColumnWatch(
      detection.columns,
      values,
      { ...(request.accountColumns ?? request.options.columns), ...ignoredJoinKeys(detection.combined) },
      layout !== undefined || !isMapped,
      numberOfFile(options),
    );
    const elsewhere = knownElsewhere(layouts);
    const others = createOtherWatch(isFirst ? elsewhere : values, {
      isFirst,
      isCombined: detection.combined !== undefined,
    });
    for (const row of opened.titleRows) others.addTitle(row, looksLikeLine(row, detection.columns));
    if (options.sheet === undefined && !detection.combined) others.addName(detection.sheet ?? '');
    // A PO number that is in the name is asked about by itself.
    if (!request.quoteOnly && !(options.poNumberFrom && 'fileName' in options.poNumberFrom))
      others.addFileName(request.fileName);
    for (const sheet of opened.otherSheets) others.addSheet(sheet);
    const poAt = detection.columns.findIndex(({ field }) => field === 'po_number');
    /** The current order's row, above its lines. */
    let heading: RawRow | undefined;
    let rowCount = 0;
    let hasPrices = false;
    let first: CheckedRow | undefined;
    for await (const batch of opened.batches) {
      signal?.throwIfAborted();
      const sink: RowSink = { rows: [], rowsWithoutPo: [], issues: [] };
      for (const row of batch) {
        otherPos?.see(row);
        const [before, issuesBefore] = [sink.rows.length, sink.issues.length];
        const kind = grouping.take(row, sink);
        if (kind === 'other') others.addRow(row);
        // An order without lines is known as such only at the next row, of which it is no part.
        const isOfOther = ({ rowNumber }: { rowNumber: number }) => rowNumber !== row.rowNumber;
        const taken = sink.rows.slice(before).filter((line) => !isOfOther(line));
        if (kind === 'heading') heading = row;
        else if (poAt >= 0 && row.cells[poAt]?.trim()) heading = undefined;
        const isAgreed = kind === 'other' && taken.length > 0 && others.isAgreedText(row);
        const { leftOut, packs, questions, settled } = columnWatch.look(
          heading && kind === 'line' ? withHeading(row, heading) : row,
          isAgreed ? [] : taken,
          kind === 'line' && options.continuationRows && poAt >= 0 && !row.cells[poAt]?.trim(),
        );
        if (leftOut || isAgreed) {
          sink.rows.push(...sink.rows.splice(before).filter(isOfOther));
          sink.issues.push(
            ...sink.issues.splice(issuesBefore).filter(isOfOther),
            leftOut ? leftOutRow(row, taken[0]!.poNumber, leftOut) : agreedText(row),
          );
          continue;
        }
        if (settled.size > 0) {
          const issues = sink.issues.splice(issuesBefore);
          sink.issues.push(...issues.filter((one) => isOfOther(one) || !settled.has(one.column)));
        }
        sink.issues.push(...taken.flatMap((line) => countPieces(line, packs)));
        sink.issues.push(...questions);
        if (kind === 'line' || kind === 'heading') columnNotes.see(row);
        if (taken.length > 0) lineNotes.see(row, taken);
      }
      rowCount += batch.length;
      first ??= sink.rows[0];
      hasPrices ||= sink.rows.some(({ expectedPrice }) => expectedPrice !== undefined);
      await stage.add([...sink.rows, ...sink.rowsWithoutPo], sink.issues);
      onProgress?.({ rows: rowCount });
    }
    if (rowCount === 0) {
      throw new FileRefused('no_rows', 'There are no rows below the header.');
    }
    const isNew = layout === undefined && !isMapped;
    // How the account's settings read a form counts as agreed, with its footer; what other columns say nobody has looked at yet.
    const isForm = isNew && isAgreed(own) && poAt < 0;
    for (const header of columnWatch.stopHeaders())
      others.addRow({ rowNumber: detection.headerRow ?? 0, cells: [header] });
    const noName = isNew ? whyNotWhole(detection.columns, options) : undefined;
    const lost = isNew ? whyColumnsLost(layouts, opened.header, detection.columns) : undefined;
    const news = [noName, lost, ...others.unseen(isForm)].filter((one) => one !== undefined);
    const untold = isFirst ? columnWatch.untold(new Set(decided.map(({ column }) => column)), elsewhere) : [];
    const unsaid = withAnsweredElsewhere(untold, layouts);
    if (request.waitsForNews && news.length + unsaid.length > 0) {
      const nearest = isNew && !lost ? nearestLayout(layouts, opened.header) : undefined;
      const difference = nearest ? `${sayDifference(nearest)} ` : '';
      const said = sayNews(news, unsaid, isFirst ? undefined : layout?.name);
      throw new FileRefused('not_agreed', `${difference}${said}`);
    }
    const last: RowSink = { rows: [], rowsWithoutPo: [], issues: [] };
    grouping.end(last);
    const { optionDefaults, columnNames } = rowCheck;
    last.issues.push(
      ...unseenStrikeNotes(opened.unseenStrike, detection.headerRow),
      ...hiddenSheetNotes(opened.hiddenSheets, detection.headerRow),
      ...addressAbove(opened.titleRows, detection.columns, options),
      ...columnNotes.notes(),
      ...lineNotes.notes(),
    );
    const idlePriceGuard =
      request.priceGuard && !hasPrices
        ? idleGuard(detection.columns, columnNames.expected_price, options)
        : undefined;
    if (idlePriceGuard !== undefined && first) {
      const { rowNumber, poNumber } = first;
      const column = columnNames.expected_price;
      last.issues.push(noteAt(rowNumber, poNumber, column, 'price_guard_idle', idlePriceGuard));
    }
    await stage.add(last.rows, last.issues);
    return {
      kind: 'read',
      detection: layout
        ? { ...detection, layout: { id: layout.id, name: layout.name, version: layout.version } }
        : detection,
      rowCount,
      optionDefaults,
      columnNames,
      idlePriceGuard,
      asLayout: own,
      seen: [...columnWatch.seen(), ...others.seen()],
      news,
      unsaid,
    };
  } catch (error) {
    if (error instanceof FileRefused) return { ...refusedBy(error), header: opened.header };
    throw error;
  } finally {
    opened.close();
  }
};
