import { columnLetters } from '../column-letters.ts';
import type { FieldName } from '../intake/columns/fields.ts';
import type { DataValidation } from '../reports/workbook/data-validations.ts';
import { inOneBatch, type Sheet } from '../reports/workbook/sheet-xml.ts';
import { fieldGuide } from './field-guide.ts';
import type { PlannedColumn, TemplatePlan } from './template-plan.ts';

/** Rows that are checked while they are filled in. Further rows are read the same way, but checked only by the import. */
const checkedRows = 10_000;

const widthOf = ({ header, field }: PlannedColumn): number =>
  Math.max(header.length + 3, /address|name|comment|email|description|note/.test(field) ? 26 : 13);

const validationsOf = (
  plan: TemplatePlan,
  rangeOf: (field: FieldName) => string | undefined,
): DataValidation[] => {
  const { headerRow } = plan;
  return plan.columns.flatMap((column, at): DataValidation[] => {
    const { field, header, required, allowed } = column;
    const letter = columnLetters(at);
    const text = `${required ? 'Always fill this in. ' : ''}${fieldGuide[field].meaning}`;
    const note = { cells: `${letter}${headerRow}`, prompt: { title: header, text } };
    const range = rangeOf(field);
    const rule = range === undefined ? column.rule : { kind: 'list' as const, range };
    if (!rule) return [note];
    const error = { title: header, text: `Enter ${allowed}.` };
    return [note, { cells: `${letter}${headerRow + 1}:${letter}${headerRow + checkedRows}`, rule, error }];
  });
};

/**
 * The sheet for the orders: only a header, so that an empty template orders nothing. Cells are text if leading zeros matter, and numbers
 * if a number belongs there.
 *
 * @param rangeOf the range of a field's choices
 */
export const makeOrdersSheet = (
  plan: TemplatePlan,
  name: string,
  rangeOf: (field: FieldName) => string | undefined,
): Sheet => {
  const { columns, headerRow } = plan;
  const header = columns.map(
    ({ header: text, required }) => ({ text, fill: required ? 'yellow' : 'header' }) as const,
  );
  return {
    name,
    columns: columns.map((column) => ({
      width: widthOf(column),
      format: column.cells === 'text' ? '@' : 'General',
    })),
    frozenRows: headerRow,
    filterRow: undefined,
    landscape: true,
    validations: validationsOf(plan, rangeOf),
    rows: inOneBatch([{ rowNumber: headerRow, cells: header, bold: true }]),
  };
};
