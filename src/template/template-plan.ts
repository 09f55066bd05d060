import { createHash } from 'node:crypto';
import { type FieldName, fieldNames, requiredInFile } from '../intake/columns/fields.ts';
import { type ColumnRule, columnRule } from './column-rules.ts';
import {
  furtherFields,
  type TemplateAccount,
  type TemplateColumn,
  templateColumns,
} from './template-columns.ts';

export interface PlannedColumn extends TemplateColumn, ColumnRule {}

/** The content of an account's template, independent of its format. */
export interface TemplatePlan {
  account: string;
  /** Depends on columns, rules and the header's position, so that a file shows whether its template is still current. */
  version: string;
  columns: PlannedColumn[];
  /** The account's constants, as text. */
  constants: [FieldName, string][];
  /** Fields that can be added as columns. */
  further: FieldName[];
  /** The row in which the account expects the header. */
  headerRow: number;
  /** The sheet that the account reads, by name or number; undefined: it is found by its columns. */
  sheet: string | number | undefined;
  /** Sheets that the account reads together, so that one alone is refused. */
  joined: readonly string[];
  delimiter: string;
  /** The account has a setting for the encoding of CSV files. */
  hasEncoding: boolean;
}

/** Increment it when a template of the same columns gets another layout. */
const layoutVersion = 1;

const versionOf = (planned: readonly unknown[]): string =>
  `${layoutVersion}-${createHash('sha256').update(JSON.stringify(planned)).digest('hex').slice(0, 8)}`;

/** Why the account could not read a template; undefined if it can. Pure. */
export const whyNoTemplate = ({ name, intake }: TemplateAccount): string | undefined => {
  if (intake.header === 'none')
    return `Account ${name} reads files without a header (intake.header: none), so it would not know the columns of a template by their names. Remove header: none, or describe the files without a header as a layout (intake.layouts).`;
  return requiredInFile.every((names) => names.some((field) => intake.constants[field] !== undefined))
    ? `Account ${name} fills in the PO number, the item and the quantity (intake.constants), so any row would be read as the header of a template. Remove one of these constants.`
    : undefined;
};

/** Plans the template of an account. Pure. */
export const planTemplate = (account: TemplateAccount): TemplatePlan => {
  const { intake } = account;
  const columns = templateColumns(account).map((column) => ({
    ...column,
    ...columnRule(column.field, account),
  }));
  const constants = fieldNames.flatMap((field): [FieldName, string][] => {
    const value = intake.constants[field];
    return value === undefined ? [] : [[field, String(value)]];
  });
  const headerRow = typeof intake.header === 'number' ? intake.header : intake.skipRows + 1;
  const { sheet, join, delimiter = ',', encoding } = intake;
  return {
    account: account.name,
    version: versionOf([columns, constants, headerRow, sheet]),
    columns,
    constants,
    further: furtherFields(account),
    headerRow,
    sheet,
    joined: join ? [join.orders, join.lines] : [],
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    hasEncoding: encoding !== undefined,
  };
};
