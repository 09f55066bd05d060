import { basename, extname, join, resolve } from 'node:path';
import { FileRefused, UserError } from '../errors.ts';
import { headerKey } from '../intake/columns/fields.ts';
import type { IntakeOptions } from '../intake/options.ts';
import { openSource } from '../intake/read-purchase-file.ts';
import { rowsBelow } from '../intake/rows-below.ts';
import type { RawRow } from '../intake/types.ts';
import type { Sheet, SheetRow } from '../reports/workbook/sheet-xml.ts';
import { writeWorkbook } from '../reports/workbook/write-workbook.ts';

/** Equal files must give equal workbooks, so that a file that comes again is recognised. */
const fixedTime = new Date(Date.UTC(2000, 0, 1));

/** In a sheet, a missing cell is blank. In a text file, it suggests that the following cells are shifted. */
const assertWidth = (file: string, row: RawRow, header: RawRow): void => {
  if (row.cells.length === header.cells.length) return;
  throw new FileRefused(
    'row_width',
    `Row ${row.rowNumber} of ${basename(file)} has ${row.cells.length} columns but the header in row ${header.rowNumber} has ${header.cells.length}. A value may contain the separator or a line break without quotes. Correct the row.`,
  );
};

async function* textRows(file: string, key: string, options: IntakeOptions): AsyncGenerator<SheetRow[]> {
  const source = await openSource({ path: resolve(file), fileName: basename(file), options });
  if (source.format !== 'csv') {
    source.close();
    throw new UserError(
      'not_a_text_file',
      `${basename(file)} is no text file. --join takes two text files (CSV); put sheets of workbooks into one workbook.`,
    );
  }
  const isHeader = ({ cells }: RawRow) => cells.some((cell) => headerKey(cell) === headerKey(key));
  let header: RawRow | undefined;
  const width = source.tables[0]?.head.find(isHeader)?.cells.length ?? 0;
  const columns = Array.from({ length: width }, () => ({ header: '', field: null }));
  for await (const batch of rowsBelow(source, 0, 1, columns)) {
    yield batch.map((row) => {
      if (header) assertWidth(file, row, header);
      else if (isHeader(row)) header = row;
      return { rowNumber: row.rowNumber, cells: row.cells };
    });
  }
}

/**
 * Writes two text files, orders and their lines, as the two sheets named by the account's `intake.join`. Row numbers stay the same.
 *
 * @param folder where the workbook is written
 * @returns the path of the workbook, which is named after both files
 * @throws UserError if the account has no join or a file is no text file; FileRefused if a file cannot be read
 * @see docs/purchase-files.md#orders-and-lines-in-two-tables
 */
export const joinFiles = async (
  files: readonly string[],
  account: { name: string; intake: IntakeOptions },
  folder: string,
): Promise<string> => {
  const { join: setting, ...others } = account.intake;
  const [orders, lines, third] = files;
  if (orders === undefined || lines === undefined || third !== undefined)
    throw new UserError('two_files_needed', '--join takes two files: first the orders, then their lines.');
  if (!setting)
    throw new UserError(
      'join_missing',
      `Set accounts.${account.name}.intake.join first, for example { orders: Orders, lines: Lines, by: Order ID }; "Order ID" is the column that both files have.`,
    );
  const { by } = setting;
  const names = typeof by === 'string' ? { orders: by, lines: by } : by;
  const sheet = (name: string, file: string, key: string): Sheet => ({
    name,
    columns: [],
    frozenRows: 0,
    filterRow: undefined,
    rows: textRows(file, key, { ...others, poNumberFrom: undefined }),
  });
  const stem = (file: string) => basename(file, extname(file));
  const path = join(folder, `${stem(orders)}+${stem(lines)}.xlsx`);
  const sheets = [sheet(setting.orders, orders, names.orders), sheet(setting.lines, lines, names.lines)];
  await writeWorkbook(path, sheets, 1, { mtime: fixedTime });
  return path;
};
