import { columnLetters } from '../column-letters.ts';
import { type FieldName, isItem } from '../intake/columns/fields.ts';
import { guideTitle } from '../intake/own-columns.ts';
import type { Cell } from '../reports/workbook/cells.ts';
import { inOneBatch, type Sheet, type SheetRow } from '../reports/workbook/sheet-xml.ts';
import { fieldGuide } from './field-guide.ts';
import type { PlannedColumn, TemplatePlan } from './template-plan.ts';

const tableHeads = ['Column', 'Fill in', 'What to enter', 'Allowed', 'Example'];
/** In characters. Rows have one line, because not all programs fit the height of rows to wrapped text. */
const widestColumn = 100;
const longestChoices = 60;

const exampleOf = ({ field, choices }: PlannedColumn): string =>
  fieldGuide[field].example || choices?.[0] || '';

const allowedOf = ({ allowed, choices }: PlannedColumn): string =>
  choices && allowed.length > longestChoices ? 'one of the choices below' : allowed;

const whenToFillIn = ({ required, field, ofWholePo }: PlannedColumn, hasBoth: boolean): string => {
  if (required) return 'always';
  if (hasBoth && isItem(field)) return 'one of both';
  return ofWholePo ? 'optional (PO)' : 'optional';
};

const sentences = (plan: TemplatePlan, orders: string): string[] => {
  const names = (fields: readonly FieldName[]) => fields.join(', ');
  const filledIn = (hasColumn: boolean) =>
    plan.constants
      .filter(([field]) => plan.columns.some((column) => column.field === field) === hasColumn)
      .map(([field, value]) => `${field} (${value})`)
      .join(', ');
  const [always, whereBlank] = [filledIn(false), filledIn(true)];
  return [
    `Enter your orders in the sheet "${orders}", one row for each item. Nothing on this sheet is ordered, and neither is its example.`,
    'Fill in the yellow columns in every row. Repeat the PO number in each row of the same purchase order.',
    'What is marked "optional (PO)" applies to the whole purchase order: fill it in once, or with the same value in each of its rows.',
    'Keep the header row as it is. You can delete optional columns and add columns of your own, which are not read.',
    'Save the file as .xlsx, .ods or .csv. In a .csv file, zeros at the beginning stay only if the cells are text, as they are here.',
    ...(always === '' ? [] : [`The account fills in ${always}, so the template has no such column.`]),
    ...(whereBlank === '' ? [] : [`Where the cell is blank, the account fills in ${whereBlank}.`]),
    ...(plan.further.length === 0
      ? []
      : [`You can also add columns with these exact headers: ${names(plan.further)}.`]),
  ];
};

/** The sheet that explains a template and contains the lists for its drop-downs. */
export interface GuideSheet {
  sheet: Sheet;
  /** The range of the choices of a field, such as `'How to fill in'!$A$40:$A$43`. */
  rangeOf(field: FieldName): string | undefined;
}

/**
 * The sheet that explains a template. None of its rows can be read as a header or a line: each field has its own row, and no cell is the
 * bare name of a field. It is protected, so that nobody enters orders there.
 *
 * @param name its name
 * @param orders the name of the sheet for the orders
 */
export const makeGuideSheet = (plan: TemplatePlan, name: string, orders: string): GuideSheet => {
  const rows: SheetRow[] = [];
  const add = (cells: Cell[], look: Pick<SheetRow, 'bold' | 'fill'> = {}) =>
    rows.push({ rowNumber: (rows.at(-1)?.rowNumber ?? 0) + 1, cells, ...look });
  const leaveBlankRow = () => add([]);
  add([guideTitle], { bold: true });
  add([`Purchase orders of account ${plan.account}. Template version ${plan.version}.`]);
  leaveBlankRow();
  for (const sentence of sentences(plan, orders)) add([sentence]);
  leaveBlankRow();
  add(tableHeads, { bold: true, fill: 'header' });
  const widths = tableHeads.map((head) => head.length);
  const hasBoth = ['item_sku', 'item_id'].every((item) => plan.columns.some(({ field }) => field === item));
  for (const [at, column] of plan.columns.entries()) {
    const { field, header, required } = column;
    const cells = [
      `Column ${columnLetters(at)}: ${header}`,
      whenToFillIn(column, hasBoth),
      fieldGuide[field].meaning,
      allowedOf(column),
      exampleOf(column),
    ];
    for (const [position, { length }] of cells.entries())
      widths[position] = Math.min(widestColumn, Math.max(widths[position]!, length));
    add(cells, required ? { fill: 'yellow' } : {});
  }
  leaveBlankRow();
  const ranges = new Map<FieldName, string>();
  const withChoices = plan.columns.filter(({ choices }) => choices !== undefined);
  for (const { field, choices } of withChoices) {
    add([`Choices for ${field}`], { bold: true });
    const from = rows.at(-1)!.rowNumber + 1;
    for (const choice of choices!) add([choice]);
    ranges.set(field, `'${name.replaceAll("'", "''")}'!$A$${from}:$A$${rows.at(-1)!.rowNumber}`);
  }
  const sheet: Sheet = {
    name,
    columns: widths.map((width) => ({ width: width + 3 })),
    frozenRows: 0,
    filterRow: undefined,
    landscape: true,
    protected: true,
    rows: inOneBatch(rows),
  };
  return { sheet, rangeOf: (field) => ranges.get(field) };
};
