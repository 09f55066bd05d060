import type { IntakeOptions } from '../options.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { noteAt, shorten } from '../rows/row-issue.ts';
import { maySayNotToOrder } from '../rows/says-not-to-order.ts';
import type { CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { answerTo, describing, exceptionOf, type KnownValues } from './answers.ts';
import { hasMeasures } from './descriptive-names.ts';
import { itemDescriptions } from './item-texts.ts';
import { isRemark, isStopHeader, isStopValue, remarkKey } from './remarks.ts';
import { textAt } from './right-of-header.ts';
import type { SeenColumn } from './seen-column.ts';
import { addForm, areExceptions, doubtAbout, hasOddOnes, poNumbers, shapeKey, withForms } from './shapes.ts';
import {
  addValue,
  belowPieces,
  type ColumnValues,
  isMeasure,
  isTelling,
  kindKey,
  sayQuestion,
  saysOtherThanMeasures,
  saysSomething,
  sayValue,
  textKey,
  type ValueKey,
  valueKey,
  withoutAmounts,
} from './telling-values.ts';
import { isUnnamed, type LeftOut, type WatchedColumn, watchedColumns } from './watched-columns.ts';

/** How the items of a row are packed, as a person said. */
export interface Pack {
  header: string;
  text: string;
  pieces: number;
}

export interface Looked {
  /** The row is skipped because of this value. */
  leftOut: LeftOut | undefined;
  /** Because of these values one in the quantity is several pieces. */
  packs: Pack[];
  /** Values that nobody has seen, or that are to be asked about: their PO waits. */
  questions: RowIssue[];
  /** Headers whose values were asked or answered here, so that nothing else needs to be said of them. */
  settled: ReadonlySet<string>;
}

const nothing: Looked = { leftOut: undefined, packs: [], questions: [], settled: new Set() };

/**
 * Watches the columns that are not read, and what PO numbers and items look like. Memory does not grow with the file.
 *
 * @param asks nobody has looked at the rows of this file, so an item that is perhaps none is asked about, also where nothing is known
 * @param decided `intake.columns` of the account: what it ignores is not looked at. A column that a person leaves unread is: the person saw its
 *   values in one file only.
 * @param poNumber the one of the whole file, where it is in the file's name or in a cell above the table
 */
export const createColumnWatch = (
  columns: readonly DetectedColumn[],
  known: KnownValues | undefined,
  decided: IntakeOptions['columns'],
  asks = true,
  poNumber?: string,
) => {
  const all = watchedColumns(columns, known, decided, poNumber);
  /**
   * Compares the cells of a row that are not read with what is known.
   *
   * @param rows what the row was read as; none for a total and the like, about which nothing is asked
   * @param continues it belongs to the PO above, and a blank cell may say what the first row of that PO says
   */
  const look = (row: RawRow, rows: readonly CheckedRow[], continues = false): Looked => {
    if (rows.length === 0) return nothing;
    const { quantity, poNumber: poOfRow } = rows[0]!;
    let leftOut: Looked['leftOut'];
    const packs: Pack[] = [];
    const questions: RowIssue[] = [];
    const settled = new Set<string>();
    for (const watched of all) {
      const { at, header, column, values, answers, keyOf, shapes } = watched;
      // A blank item of a row that continues a PO is a mistake in that row.
      const tellsOfPo = !shapes || column === poNumbers;
      const cell = watched.fixed ?? textAt(row, at, columns.length);
      if (!continues) watched.first = undefined;
      const below = cell.trim() === '' ? watched.first : undefined;
      const isBelowPieces = below !== undefined && 'pieces' in below;
      if (below && !isBelowPieces) {
        settled.add(header);
        if ('leftOut' in below) leftOut ??= below.leftOut;
        else if ('question' in below)
          questions.push({ ...below.question, rowNumber: row.rowNumber, found: undefined });
        continue;
      }
      if (values.many && !answers && !shapes) {
        // Too many different texts to compare: only whether there is one counts, and what says not to order.
        if (cell === '' || cell.trim() === '') values.blank += 1;
        else values.filled += 1;
        watched.freeTexts.see(cell);
        continue;
      }
      // Most cells repeat the one above.
      if (cell !== watched.cell || quantity !== watched.quantity) {
        const doubt = shapes ? doubtAbout(column, cell, !asks) : undefined;
        const key = doubt ? textKey(doubt.name) : keyOf(cell, quantity);
        const kind = keyOf === valueKey ? kindKey(key, quantity) : key;
        if (column === poNumbers && cell !== watched.cell && !doubt) addForm(watched.forms, cell);
        Object.assign(watched, { cell, quantity, doubt, key, kind });
      }
      const { doubt, kind } = watched;
      // A row without one continues the PO above, or has an issue of its own.
      if (shapes && kind === '') continue;
      addValue(values, kind, cell);
      addValue(watched.each, watched.key, cell);
      if (values.many && !answers && !shapes) {
        watched.freeTexts.begin(values);
        watched.freeTexts.see(cell);
      }
      watched.itemTexts?.see(rows[0]!.itemSku ?? rows[0]!.itemId, kind, cell);
      const shape = shapes ? shapeKey(cell) : '';
      if (shapes) addValue(shapes, shape, cell);
      if (!answers && !doubt) continue;
      // What was said of a number counts, also where others are compared by their sizes.
      const bySize = (watched.comparesSizes || watched.each.many) && !answers?.has(watched.key);
      const key = bySize ? kind : watched.key;
      const saysNotToOrder = () =>
        doubt ? doubt.saysNotToOrder === true : !shapes && maySayNotToOrder(cell);
      const value = {
        ...{ key: isBelowPieces ? belowPieces : key, shape, isPoNumber: column === poNumbers },
        ...{ isDoubtful: doubt !== undefined, saysNotToOrder },
      };
      const answer =
        (answers && answerTo(answers, value)) ??
        ((watched.hasMeasures && isMeasure(kind)) ||
        (keyOf === remarkKey && key === '') ||
        (!doubt && watched.isOrderedAlike(cell))
          ? 'seen'
          : undefined);
      if (answer === 'seen') continue;
      // A PO number that is agreed can still break a rule.
      if (!shapes) settled.add(header);
      if (answer === 'order') continue;
      const text = shorten(cleanCell(cell, 'text').text.trim());
      if (answer === 'leave_out') {
        const own = { header, text };
        if (!continues && tellsOfPo) watched.first = { leftOut: own };
        leftOut ??= own;
      } else if (answer?.startsWith('pieces ')) {
        const pieces = Number(answer.slice(7));
        packs.push({ header, text, pieces });
        if (!continues && tellsOfPo) watched.first = { pieces };
      } else {
        watched.asked.add(key).add(kind);
        const exception = exceptionOf(value);
        const asked = sayQuestion(header, value.key, text, answer === 'ask' ? answer : doubt?.usually);
        const question = {
          ...noteAt(row.rowNumber, poOfRow, header, 'question', asked),
          found: text,
          question: [column, value.key, ...(exception ? [exception] : [])].join('\n'),
        };
        if (!continues && tellsOfPo) watched.first = { question };
        questions.push(question);
      }
    }
    return { leftOut, packs: leftOut ? [] : packs, questions: leftOut ? [] : questions, settled };
  };
  /** What a layout keeps of a column: whole numbers as it has them already. */
  const kept = ({ values, each, comparesSizes }: WatchedColumn): ColumnValues =>
    comparesSizes ? values : withoutAmounts(each, values);
  const listed = (
    valuesOf: (watched: WatchedColumn) => ColumnValues | undefined,
    hasValue: (watched: WatchedColumn, key: ValueKey) => boolean,
  ) =>
    all.flatMap((watched): SeenColumn[] => {
      const { header, column, itemTexts, freeTexts } = watched;
      const mayDescribe = itemTexts?.mayDescribe() === true && freeTexts.said() === undefined;
      const values = valuesOf(watched);
      if (!values || (watched.isSilent && values.filled === 0)) return [];
      const found = [...values.counts].filter(([key]) => hasValue(watched, key));
      const isStop = isStopHeader(header);
      const stops = (key: ValueKey) =>
        remarkKey(values.texts.get(key)!) !== '' || (isStop && isStopValue(key));
      const said = found.map(([key, rows]) => ({
        key,
        rows,
        text: shorten(sayValue(key, values.texts.get(key)!.trim())),
        ...(stops(key) ? { saysNotToOrder: true } : {}),
      }));
      return [{ header, column, values: said, ...(mayDescribe ? { mayDescribe } : {}) }];
    });
  return {
    look,
    /** Headers that say that something is not to be ordered, of columns without any value: these are no columns, but remarks. */
    stopHeaders: () =>
      all
        .filter((one) => !one.shapes && !one.answers && one.values.filled === 0 && isRemark(one.header))
        .map(({ header }) => header),
    /** The telling columns of the file, with all values that it has, but those that are asked about. */
    seen: () =>
      listed(
        (watched) => {
          const { at, header, column, values, each, shapes, forms, answers, asked, itemTexts, freeTexts } =
            watched;
          // From now on, what says not to order counts in it, also in a file with a few texts.
          const stops = freeTexts.said();
          if (stops) return stops;
          if (itemTexts?.describes()) return itemDescriptions();
          // Where it is usual, a form is known with all that have it.
          if (shapes)
            return withForms(answers || areExceptions(column, shapes) ? values : shapes, forms, asked);
          // A column of which something was asked or answered is watched from now on, whatever its values are.
          const isWatched =
            isTelling(values, each) || (!values.many && (answers !== undefined || asked.size > 0));
          if (isWatched) return kept(watched);
          // Its name does not say that the layout has it.
          return isUnnamed({ at, header }) && values.filled > 0 ? itemDescriptions() : undefined;
        },
        ({ asked }, key) => !asked.has(key),
      ),
    /**
     * Those of them of which nothing is known but what was decided now, and that could say that rows are not to be ordered as they are; with
     * all values.
     *
     * @param elsewhere what other files of the account say: a column with no other value than theirs needs no look
     */
    untold: (now: ReadonlySet<string>, elsewhere: KnownValues) =>
      listed(
        (watched) => {
          const { column, answers, values, each, shapes, forms, freeTexts } = watched;
          if (answers) return now.has(column) ? kept(watched) : undefined;
          const others = elsewhere.get(column);
          const isKnownIn = ({ counts }: ColumnValues) =>
            [...counts.keys()].every((key) => key === '' || key === describing || others?.has(key));
          const stops = freeTexts.said();
          if (stops) return isKnownIn(stops) ? undefined : stops;
          const own = [values, kept(watched), shapes];
          if (own.some((one) => one && isKnownIn(withForms(one, forms)))) return undefined;
          const isUntold = shapes
            ? hasOddOnes(column, shapes, forms)
            : hasMeasures(column)
              ? saysOtherThanMeasures(values)
              : saysSomething(values, each);
          return isUntold ? withForms(kept(watched), forms) : undefined;
        },
        (_, key) => key !== describing,
      ),
  };
};
