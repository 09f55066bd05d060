import { lineColumns } from '../../src/reports/line-columns.ts';
import { orderColumns, type ReportColumn } from '../../src/reports/order-columns.ts';
import { fillGenerated, markdownTable } from './generated.ts';

const table = (columns: readonly Pick<ReportColumn<never>, 'header' | 'meaning'>[]): string =>
  markdownTable(
    ['column', 'content'],
    columns.map(({ header, meaning }) => [`\`${header}\``, meaning]),
  );

/** docs/reports.md with its generated parts updated. */
export const renderReportsPage = (page: string): string =>
  fillGenerated(page, { 'order columns': table(orderColumns), 'line columns': table(lineColumns) });
