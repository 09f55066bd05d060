import { plainCsv, writeCsvFile } from './csv-file.ts';
import { type AccountOrder, accountOrderColumns } from './order-columns.ts';
import { type LateRule, ordersSheet } from './report-sheets.ts';
import { csvRows, isNumeric } from './status-report.ts';
import type { Sheet } from './workbook/sheet-xml.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

export interface OrdersView {
  /** The time zone of moments in a workbook. */
  timeZone: string;
  /** The rules for late orders, by account. */
  rules: readonly ({ account: string } & LateRule)[];
}

/** The sheet of orders of several accounts. */
export const accountOrdersSheet = (
  pages: AsyncIterable<AccountOrder[]>,
  { timeZone, rules }: OrdersView,
): Sheet => {
  const byAccount = new Map(rules.map((rule) => [rule.account, rule]));
  return ordersSheet(
    { pages, timeZone, asOf: new Date(), ruleOf: ({ account }) => byAccount.get(account)! },
    accountOrderColumns,
  );
};

/** Writes orders of one or several accounts into a file, and returns how many there were. */
export const writeOrders = async (
  path: string,
  format: 'csv' | 'xlsx',
  pages: AsyncIterable<AccountOrder[]>,
  view: OrdersView,
): Promise<number> => {
  let count = 0;
  async function* counted(): AsyncGenerator<AccountOrder[]> {
    for await (const page of pages) {
      count += page.length;
      yield page;
    }
  }
  if (format === 'csv')
    await writeCsvFile(
      path,
      csvRows(accountOrderColumns, counted()),
      plainCsv,
      accountOrderColumns.map(isNumeric),
    );
  else await writeWorkbook(path, [accountOrdersSheet(counted(), view)], 0);
  return count;
};
