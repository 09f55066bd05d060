import type { IntakeOptions } from '../options.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { noteAt, shorten } from '../rows/row-issue.ts';
import { maySayNotToOrder } from '../rows/says-not-to-order.ts';
import type { CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { answerTo, describing, exceptionOf, type KnownValues } from './answers.ts';
import { hasMeasures } from './descriptive-names.ts';
import { itemDescriptions } from './item-texts.ts';
import { isRemark, isStopHeader, isStopValue, recipientKey, remarkKey } from './remarks.ts';
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

/** A person's answer on how the items of a row are packed. */
export interface Pack {
  header: string;
  text: string;
  pieces: number;
}

export interface Looked {
  /** The row is skipped because of this value. */
  leftOut: LeftOut | undefined;
  /** Values by which a quantity of 1 means several pieces. */
  packs: Pack[];
  /** New values, or values to ask about each time: their PO waits. */
  questions: RowIssue[];
  /** Headers whose values raised or had an answer to a question here, so other notes about them are unnecessary. */
  settled: ReadonlySet<string>;
}

const nothing: Looked = { leftOut: undefined, packs: [], questions: [], settled: new Set() };

/**
 * Watches ignored columns, and the shapes of PO numbers and items. Memory does not grow with the file.
 *
 * @param asks nobody has looked at this file's rows, so a doubtful item raises a question even if nothing is known
 * @param decided `intake.columns` of the account: columns that it ignores are not watched. Columns that a person left unread are, because
 *   the person saw the values of one file only.
 * @param poNumber the one of the whole file, if it is in the file name or in a cell above the table
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
   * Compares the ignored cells of a row with the known values.
   *
   * @param rows the result of reading the row; empty for a total and the like, which raise no questions
   * @param continues the row belongs to the PO above, so a blank cell may inherit the value of that PO's first row
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
      // A blank item in a continuation row is a mistake in that row.
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
        // Too many different texts to compare: only whether there is one counts, and texts that say not to order.
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
      // An answer for an individual number counts even if others are compared by size.
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
        ((keyOf === remarkKey || keyOf === recipientKey) && key === '') ||
        (!doubt && watched.isOrderedAlike(cell))
          ? 'seen'
          : undefined);
      if (answer === 'seen') continue;
      // An agreed PO number can still break a rule.
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
  /** The values to store for a column: whole numbers in the form that the layout already uses. */
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
    /** Headers of empty columns that say not to order something: they are remarks, not columns. */
    stopHeaders: () =>
      all
        .filter((one) => !one.shapes && !one.answers && one.values.filled === 0 && isRemark(one.header))
        .map(({ header }) => header),
    /** The telling columns of the file with all their values, except those that raised questions. */
    seen: () =>
      listed(
        (watched) => {
          const { at, header, column, values, each, shapes, forms, answers, asked, itemTexts, freeTexts } =
            watched;
          // From now on, texts that say not to order count in it, even in a file with few texts.
          const stops = freeTexts.said();
          if (stops) return stops;
          if (itemTexts?.describes()) return itemDescriptions();
          // A usual form is known for all numbers that have it.
          if (shapes)
            return withForms(answers || areExceptions(column, shapes) ? values : shapes, forms, asked);
          // A column with a question or an answer is watched from now on, whatever its values.
          const isWatched =
            isTelling(values, each) || (!values.many && (answers !== undefined || asked.size > 0));
          if (isWatched) return kept(watched);
          // An unnamed column is not part of the header, so the layout must record that it exists.
          return isUnnamed({ at, header }) && values.filled > 0 ? itemDescriptions() : undefined;
        },
        ({ asked }, key) => !asked.has(key),
      ),
    /**
     * New telling columns, with all values, that could mean that rows should not be ordered as they are; without those decided now.
     *
     * @param elsewhere known values of other layouts: a column with only such values needs no look
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
