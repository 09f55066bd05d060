import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { isAnswerHeader } from '../own-columns.ts';
import type { DoubtfulItem } from '../rows/sums-and-charges.ts';
import type { DetectedColumn, RowIssue } from '../types.ts';
import { describing, type KnownValue, type KnownValues } from './answers.ts';
import { describesItems, hasMeasures, ignoredKeys } from './descriptive-names.ts';
import { createFreeTexts, createItemTexts } from './item-texts.ts';
import { remarkColumns, remarkKey } from './remarks.ts';
import { rightOfHeader } from './right-of-header.ts';
import { identifierKey, knowsForms, numberKey, orderedAlike, poNumbers, shapedColumns } from './shapes.ts';
import {
  type ColumnValues,
  comparesSizes,
  noValues,
  shapes as shapeOf,
  type ValueKey,
  valueKey,
} from './telling-values.ts';

/** A column whose texts are compared with those that are known. */
export interface WatchedColumn {
  at: number;
  header: string;
  column: string;
  keyOf: (cell: string, quantity: number | undefined) => ValueKey;
  /** Whole numbers by their sizes beside the quantity. */
  values: ColumnValues;
  /** Short whole numbers each by itself. */
  each: ColumnValues;
  /** Whole numbers are known by their sizes. */
  comparesSizes: boolean;
  freeTexts: ReturnType<typeof createFreeTexts>;
  /** Of a column of which nothing is known yet. */
  itemTexts: ReturnType<typeof createItemTexts> | undefined;
  /** Of PO numbers and items: what they look like. */
  shapes: ColumnValues | undefined;
  /** Of PO numbers: how they are written. */
  forms: ColumnValues;
  /** Of PO numbers: a person had one with the same words ordered. */
  isOrderedAlike: (cell: string) => boolean;
  answers: ReadonlyMap<ValueKey, KnownValue> | undefined;
  /** Prices and the like: their numbers are not compared with the quantity. */
  hasMeasures: boolean;
  /** A layout records nothing about it until a file has a text that counts. */
  isSilent: boolean;
  /** Values of which a question was made here: nobody has seen them. */
  asked: Set<ValueKey>;
  /** Its latest cell, with the quantity of its row, and their key. */
  cell: string;
  quantity: number | undefined;
  key: ValueKey;
  kind: ValueKey;
  doubt?: DoubtfulItem | undefined;
  /** What the first row of the PO has in it, if that is skipped, asked about or counted in pieces: it counts for the rows that continue it. */
  first?: { leftOut: LeftOut } | { question: RowIssue } | { pieces: number } | undefined;
  /** The text that each row has, because it is said once for all of them. */
  fixed?: string;
}

/** Because of which value a row is skipped. */
export interface LeftOut {
  header: string;
  text: string;
}

type Found = Pick<WatchedColumn, 'at' | 'header' | 'column' | 'fixed'>;

/** The columns that are not read, apart from those of result files of ours. */
const unreadColumns = (columns: readonly DetectedColumn[]): Found[] =>
  columns.flatMap(({ header, field }, at) =>
    field !== null || isAnswerHeader(header)
      ? []
      : [{ at, header, column: headerKey(header) || header.replace(/\s+/g, ' ') }],
  );

/** A column without a name: two files that differ by one have the same header. */
export const isUnnamed = ({ at, header }: Pick<Found, 'at' | 'header'>): boolean =>
  header === `column ${at + 1}`;

/** The same of its key, by which values are known. */
export const isUnnamedKey = (column: string): boolean => /^column ?\d+$/.test(column);

/**
 * The known values of a layout, with those columns that it records nothing about as long as they are silent: a text in them that counts is
 * new. Pure.
 */
export const withSilentColumns = (
  known: KnownValues | undefined,
  columns: readonly DetectedColumn[],
): KnownValues | undefined => {
  if (!known) return undefined;
  const unread = unreadColumns(columns);
  const described = unread.filter(({ column }) => describesItems(column));
  const silent = [rightOfHeader(columns), ...described].map(({ column }) => [column, ['']] as const);
  // Programs also write row numbers into such a column.
  const unnamed = unread.filter(isUnnamed).map(({ column }) => [column, ['', 'an amount']] as const);
  return new Map([
    ...[...silent, ...unnamed].map(
      ([column, keys]) => [column, new Map(keys.map((key) => [key, 'seen' as const]))] as const,
    ),
    ...known,
  ]);
};

/** Where it is known how numbers are written, that some were seen before says nothing of those that are written otherwise. */
const answersToNumbers = (answers: WatchedColumn['answers']): WatchedColumn['answers'] =>
  answers && knowsForms(answers) && answers.get(shapeOf.one) === 'seen'
    ? new Map([...answers].filter(([key]) => key !== shapeOf.one))
    : answers;

/**
 * The columns to watch: those that are not read, what is right of the header, remarks for the service, PO numbers and items.
 *
 * @param poNumber the one of the whole file, where it is in the file's name or in a cell above the table
 * @param decided `intake.columns` of the account: what it ignores is not watched
 */
export const watchedColumns = (
  columns: readonly DetectedColumn[],
  known: KnownValues | undefined,
  decided: IntakeOptions['columns'],
  poNumber?: string,
): WatchedColumn[] => {
  const ignored = ignoredKeys(decided);
  const watch = (
    found: Found,
    keyOf: WatchedColumn['keyOf'],
    { shapes, isSilent = false }: { shapes?: ColumnValues; isSilent?: boolean } = {},
  ): WatchedColumn => {
    const answers = shapes ? answersToNumbers(known?.get(found.column)) : known?.get(found.column);
    return {
      ...found,
      keyOf: answers?.has(describing) ? remarkKey : keyOf,
      itemTexts: answers || keyOf !== valueKey ? undefined : createItemTexts(),
      shapes,
      isSilent,
      forms: noValues(),
      isOrderedAlike: orderedAlike(found.column === poNumbers ? answers : undefined),
      values: noValues(),
      each: noValues(),
      comparesSizes: answers !== undefined && comparesSizes(answers),
      freeTexts: createFreeTexts(),
      answers,
      hasMeasures: hasMeasures(found.column) || answers?.get('an amount') === 'seen',
      asked: new Set<ValueKey>(),
      ...{ cell: '', quantity: undefined, key: '', kind: '' },
    };
  };
  const unread = unreadColumns(columns)
    .filter(({ column }) => !ignored.has(column))
    .map((found) =>
      describesItems(found.column) ? watch(found, remarkKey, { isSilent: true }) : watch(found, valueKey),
    );
  const beyond = watch(rightOfHeader(columns), valueKey, { isSilent: true });
  const remarks = remarkColumns(columns).map((found) => watch(found, remarkKey));
  const shaped = shapedColumns(columns, poNumber).map((found) =>
    watch(found, knowsForms(known?.get(found.column)) ? numberKey : identifierKey, { shapes: noValues() }),
  );
  return [...unread, beyond, ...remarks, ...shaped];
};
