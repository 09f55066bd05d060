import type { CartOptionName, CodeLists } from '../../contract/carts.ts';
import { type FieldName, fields, holdsNumber, lineFields, optionsText } from '../columns/fields.ts';
import { describingColumns } from '../layouts/descriptive-names.ts';
import type { IntakeOptions } from '../options.ts';
import {
  type CartOptionValues,
  type CheckedRow,
  canHoldNumbers,
  type Detection,
  type RawRow,
  type RowIssue,
} from '../types.ts';
import { checkConstants, filledLetters, optionDefaultsOf } from './check-constants.ts';
import { cleanCell, isPlain, storablePo, writtenOddly } from './clean-cell.ts';
import { compileRules, isRefusal, type Refusal, refuse } from './compile-rules.ts';
import { damageOf, innerQuote, lostZipZeros, saidBeside, whyAnnotationIsRefused } from './damaged-cells.ts';
import { createOddWatch } from './odd-characters.ts';
import { hasOtherUnit } from './piece-count.ts';
import { shorten } from './row-issue.ts';
import { whyUnseen } from './unseen-characters.ts';

/** One row checked on its own; `group-rows.ts` judges it together with the rows around it. */
export interface RowVerdict {
  row: CheckedRow;
  issues: RowIssue[];
  /** The PO cell was blank or unreadable. */
  poBlank: boolean;
  /** Neither item_sku nor item_id was given. */
  itemBlank: boolean;
  quantityBlank: boolean;
  optionsBlank: boolean;
}

export interface RowCheck {
  check(row: RawRow): RowVerdict;
  /** Defaults for the cart options of every PO: constants, and `false` for the flags in blankMeansNo. */
  optionDefaults: CartOptionValues;
  /** The dealer's header for each field; the API name for a field without a column. */
  columnNames: Record<FieldName, string>;
}

interface Column {
  field: FieldName;
  header: string;
  at: number;
  /** Cache: the latest cell without an issue, because rows of one PO repeat its number. */
  last?: { raw: string; value: string | number | boolean };
}

const none: readonly RowIssue[] = [];

/**
 * Creates the check of one file's rows against every rule of the contract (spec 2.1, 2.3 and 4.3).
 * The rows of one PO mostly repeat the same cart options, so equal cells are checked once.
 *
 * @throws FileRefused `bad_constant` when a constant of the account breaks a rule
 */
export const createRowCheck = (
  { columns: detected, ...detection }: Pick<Detection, 'columns' | 'format' | 'encoding' | 'doubt'>,
  options: IntakeOptions,
  lists: CodeLists,
): RowCheck => {
  const rules = compileRules(options, lists, canHoldNumbers(detection.format));
  const constants = checkConstants(options, rules);
  const columns = detected.flatMap((column, at): Column[] =>
    column.field ? [{ field: column.field, header: column.header, at }] : [],
  );
  const find = (field: FieldName) => columns.find((column) => column.field === field);
  const po = find('po_number');
  const sku = find('item_sku');
  const id = find('item_id');
  const quantity = find('quantity');
  const note = find('note');
  const price = find('expected_price');
  const optionColumns = columns.filter((column) => !lineFields.has(column.field));
  const state = optionColumns.find((column) => column.field === 'ship_state');
  const columnNames = Object.fromEntries(
    Object.keys(fields).map((field) => [field, find(field as FieldName)?.header ?? field]),
  ) as Record<FieldName, string>;

  const describing = describingColumns(detected, options.columns);

  let issues: RowIssue[];
  let current: RawRow;
  let filled = '';
  const oddIn = createOddWatch(detection);
  const report = (
    column: Column,
    found: string,
    refusal: Refusal,
    severity: RowIssue['severity'] = 'issue',
  ) => {
    if (issues === none) issues = [];
    issues.push({
      rowNumber: current.rowNumber,
      poNumber: undefined,
      severity,
      column: column.header,
      code: refusal.refused,
      message: refusal.message,
      found: shorten(found),
      expected: refusal.expected === '' ? undefined : refusal.expected,
    });
  };
  const refused = (column: Column | undefined) =>
    issues.some((issue) => issue.severity === 'issue' && issue.column === column?.header);
  const annotationOf = (at: number) => current.annotations?.find(({ column }) => column === at);

  /** The account's constant for a blank cell; recorded, because it is not part of the file's content. */
  const fill = (field: FieldName): string | number | boolean | undefined => {
    const value = constants[field];
    if (value !== undefined) filled += filledLetters[field] ?? '';
    return value;
  };

  /** The value of a cell. Undefined when it is refused; for a blank cell the account's constant, unless that is for the whole PO. */
  const read = (column: Column | undefined, isOfPo = false): string | number | boolean | undefined => {
    if (!column) return undefined;
    let raw = current.cells[column.at] ?? '';
    const { field, last } = column;
    const annotation = current.annotations ? annotationOf(column.at) : undefined;
    if (annotation === undefined && last?.raw === raw) return last.value;
    const issuesBefore = issues.length;
    const unfit = (annotation && whyAnnotationIsRefused(annotation.kind, field)) ?? whyUnseen(raw, field);
    if (unfit) {
      report(column, raw, unfit);
      return undefined;
    }
    // Formulas are explained below.
    if (annotation?.kind === 'inner_quote' && !raw.startsWith('=')) report(column, raw, innerQuote, 'note');
    // A number is that number, whatever its format shows beside it, but a unit other than pieces.
    const number = holdsNumber(field) ? annotation?.number : undefined;
    if (number !== undefined && !(field === 'quantity' && hasOtherUnit(raw))) raw = number;
    let text = raw;
    if (raw === '') return isOfPo ? undefined : fill(field);
    if (!isPlain(raw)) {
      const cleaned = cleanCell(raw, fields[field].kind);
      text = cleaned.text;
      if (cleaned.note) {
        const message = `Read as ${text === '' ? 'blank' : JSON.stringify(shorten(text))}: ${cleaned.note}.`;
        report(column, raw, refuse('cleaned', message, ''), 'note');
      }
      if (text === '') return isOfPo ? undefined : fill(field);
    }
    const odd = oddIn(text, field);
    if (odd) report(column, text, odd, 'note');
    const damage = damageOf(text, field);
    const value = damage ?? rules[field](text);
    if (!isRefusal(value)) {
      if (annotation === undefined && issues.length === issuesBefore) column.last = { raw, value };
      return value;
    }
    report(column, text, value);
    return undefined;
  };

  let lastOptionRow: RawRow | undefined;
  let lastOptions = '{}';
  const readOptions = (): string => {
    const last = lastOptionRow;
    if (
      last &&
      !current.annotations &&
      optionColumns.every(({ at }) => last.cells[at] === current.cells[at])
    ) {
      return lastOptions;
    }
    const issuesBefore = issues.length;
    const values: Partial<Record<CartOptionName, unknown>> = {};
    for (const column of optionColumns) {
      if ((current.cells[column.at] ?? '').trim() === '' && !annotationOf(column.at)) continue;
      // A constant applies to the whole PO (optionDefaults); on a row it would conflict with the value of another row.
      const value = read(column, true);
      if (value !== undefined) values[column.field as CartOptionName] = value;
    }
    const zip = typeof values.ship_zip === 'string' ? values.ship_zip : undefined;
    if (zip && state) {
      const lost = lostZipZeros(zip, values.ship_state);
      if (lost) report(find('ship_zip')!, zip, lost);
    }
    const text = optionsText(values as CartOptionValues);
    const clean = issues.length === issuesBefore && !current.annotations;
    lastOptionRow = clean ? current : undefined;
    lastOptions = text;
    return text;
  };

  const check = (row: RawRow): RowVerdict => {
    current = row;
    [filled, issues] = ['', none as RowIssue[]];
    const text = po ? (row.cells[po.at] ?? '') : '';
    const checkedPo = read(po) ?? constants.po_number;
    const poText = checkedPo === undefined || row.hidden ? cleanCell(text, 'identifier').text : text;
    const poAnnotation = po && row.annotations ? annotationOf(po.at)?.kind : undefined;
    const poBlank =
      checkedPo === undefined &&
      (poText === '' || poAnnotation === 'error' || poAnnotation === 'unevaluated');
    const poNumber = checkedPo !== undefined ? String(checkedPo) : poBlank ? undefined : storablePo(poText);
    const skuValue = read(sku);
    const idValue = read(id);
    const quantityValue = read(quantity);
    const noteValue = read(note);
    const priceValue = read(price);
    const optionsText = readOptions();
    const itemBlank = skuValue === undefined && idValue === undefined && !refused(sku) && !refused(id);
    const quantityBlank = quantityValue === undefined && !refused(quantity);
    if (skuValue !== undefined && idValue !== undefined) {
      const message = 'The row has both an item_sku and an item_id.';
      report(id ?? sku!, String(idValue), refuse('one_of', message, 'either item_sku or item_id'));
    }
    for (const { column, found, refusalOf, severity } of row.annotations ? saidBeside(row, describing) : []) {
      const header = detected[column]?.header ?? `column ${column + 1}`;
      report({ ...(sku ?? id ?? columns[0]!), header }, found, refusalOf(header), severity);
    }
    if (row.hidden) {
      const hidden = refuse('hidden_row', 'This row is hidden in the sheet, but it was read.', '');
      report(po ?? columns[0]!, poText, hidden, 'note');
    }
    const checked: CheckedRow = {
      rowNumber: row.rowNumber,
      poNumber,
      itemSku: skuValue as string | undefined,
      itemId: idValue as string | undefined,
      quantity: quantityValue as number | undefined,
      note: noteValue as string | undefined,
      expectedPrice: priceValue === undefined ? undefined : String(priceValue),
      options: optionsText,
      filled: filled || undefined,
      poWritten: poNumber === undefined ? undefined : writtenOddly(text),
    };
    for (const issue of issues) issue.poNumber = poNumber;
    return { row: checked, issues, poBlank, itemBlank, quantityBlank, optionsBlank: optionsText === '{}' };
  };

  const optionDefaults = optionDefaultsOf(constants, options, (name) => find(name) !== undefined);
  return { check, optionDefaults, columnNames };
};
