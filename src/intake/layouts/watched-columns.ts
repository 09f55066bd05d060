import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { isAnswerHeader } from '../own-columns.ts';
import type { DoubtfulItem } from '../rows/sums-and-charges.ts';
import type { DetectedColumn, RowIssue } from '../types.ts';
import { describing, type KnownValue, type KnownValues } from './answers.ts';
import { describesItems, hasMeasures, ignoredKeys } from './descriptive-names.ts';
import { createFreeTexts, createItemTexts } from './item-texts.ts';
import { recipientColumns, recipientKey, remarkColumns, remarkKey } from './remarks.ts';
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

/** A column whose texts are compared with known ones. */
export interface WatchedColumn {
  at: number;
  header: string;
  column: string;
  keyOf: (cell: string, quantity: number | undefined) => ValueKey;
  /** Values, with whole numbers by their size relative to the quantity. */
  values: ColumnValues;
  /** Values, with short whole numbers individually. */
  each: ColumnValues;
  /** Whole numbers are compared by size. */
  comparesSizes: boolean;
  freeTexts: ReturnType<typeof createFreeTexts>;
  /** For a column without known values. */
  itemTexts: ReturnType<typeof createItemTexts> | undefined;
  /** Shapes of PO numbers and items. */
  shapes: ColumnValues | undefined;
  /** Forms of PO numbers. */
  forms: ColumnValues;
  /** For PO numbers: a person had one with the same words ordered. */
  isOrderedAlike: (cell: string) => boolean;
  answers: ReadonlyMap<ValueKey, KnownValue> | undefined;
  /** Prices and the like, whose numbers are not compared with the quantity. */
  hasMeasures: boolean;
  /** The layout records nothing about it until a file has a text that counts. */
  isSilent: boolean;
  /** New values that raised a question here. */
  asked: Set<ValueKey>;
  /** Cache: the latest cell with the quantity of its row, and their key. */
  cell: string;
  quantity: number | undefined;
  key: ValueKey;
  kind: ValueKey;
  doubt?: DoubtfulItem | undefined;
  /** The decision about the PO's first row, if skipped, asked about or counted in pieces; it also applies to continuation rows. */
  first?: { leftOut: LeftOut } | { question: RowIssue } | { pieces: number } | undefined;
  /** The text of every row, because it applies to the whole file. */
  fixed?: string;
}

/** The value because of which a row is skipped. */
export interface LeftOut {
  header: string;
  text: string;
}

type Found = Pick<WatchedColumn, 'at' | 'header' | 'column' | 'fixed'>;

/** The ignored columns, except those of our result files. */
const unreadColumns = (columns: readonly DetectedColumn[]): Found[] =>
  columns.flatMap(({ header, field }, at) =>
    field !== null || isAnswerHeader(header)
      ? []
      : [{ at, header, column: headerKey(header) || header.replace(/\s+/g, ' ') }],
  );

/** A column without a name, which is not part of the header key. */
export const isUnnamed = ({ at, header }: Pick<Found, 'at' | 'header'>): boolean =>
  header === `column ${at + 1}`;

/** The same for a column key. */
export const isUnnamedKey = (column: string): boolean => /^column ?\d+$/.test(column);

/** The known values of a layout, plus the silent columns about which it records nothing: any text that counts there is new. Pure. */
export const withSilentColumns = (
  known: KnownValues | undefined,
  columns: readonly DetectedColumn[],
): KnownValues | undefined => {
  if (!known) return undefined;
  const unread = unreadColumns(columns);
  const described = unread.filter(({ column }) => describesItems(column));
  const silent = [rightOfHeader(columns), ...described, ...recipientColumns(columns)].map(
    ({ column }) => [column, ['']] as const,
  );
  // Programs also write row numbers into unnamed columns.
  const unnamed = unread.filter(isUnnamed).map(({ column }) => [column, ['', 'an amount']] as const);
  return new Map([
    ...[...silent, ...unnamed].map(
      ([column, keys]) => [column, new Map(keys.map((key) => [key, 'seen' as const]))] as const,
    ),
    ...known,
  ]);
};

/** If the forms of numbers are known, an earlier `seen` does not cover numbers of other forms. */
const answersToNumbers = (answers: WatchedColumn['answers']): WatchedColumn['answers'] =>
  answers && knowsForms(answers) && answers.get(shapeOf.one) === 'seen'
    ? new Map([...answers].filter(([key]) => key !== shapeOf.one))
    : answers;

/**
 * The columns to watch: ignored ones, those right of the header, remarks for the service, PO numbers and items.
 *
 * @param poNumber the one of the whole file, if it is in the file name or in a cell above the table
 * @param decided `intake.columns` of the account: columns that it ignores are not watched
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
  const recipients = recipientColumns(columns).map((found) => watch(found, recipientKey, { isSilent: true }));
  const shaped = shapedColumns(columns, poNumber).map((found) =>
    watch(found, knowsForms(known?.get(found.column)) ? numberKey : identifierKey, { shapes: noValues() }),
  );
  return [...unread, beyond, ...remarks, ...recipients, ...shaped];
};
