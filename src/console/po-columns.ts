import type { PoSummary } from './api/schemas/purchase-orders.ts';
import type { CsvColumn } from './send-csv.ts';

/** The columns of the list of POs as CSV. */
export const poColumns: readonly CsvColumn<PoSummary>[] = [
  { head: 'Account', read: (po) => po.account },
  { head: 'PO', read: (po) => po.poNumber },
  { head: 'State', read: (po) => po.state },
  { head: 'Reason', read: (po) => po.reasonCode },
  { head: 'Reason text', read: (po) => po.reasonText },
  { head: 'Alarm', read: (po) => po.alarm },
  { head: 'Not needed', read: (po) => (po.settled ? 'yes' : '') },
  { head: 'Assigned to', read: (po) => po.assignee },
  { head: 'Orders', read: (po) => po.orderNumbers.join(' ') },
  {
    head: 'Order status',
    read: (po) =>
      po.orderStatuses
        .map((one) => one ?? '')
        .join(' ')
        .trim(),
  },
  { head: 'Lines', read: (po) => po.lineCount, numeric: true },
  { head: 'File', read: (po) => po.fileName },
  { head: 'Import', read: (po) => po.importId, numeric: true },
  { head: 'Row', read: (po) => po.firstRow, numeric: true },
  { head: 'Quote', read: (po) => (po.quoteOnly ? 'yes' : '') },
  { head: 'Created (UTC)', read: (po) => po.createdAt },
  { head: 'Changed (UTC)', read: (po) => po.changedAt },
  { head: 'Ordered (UTC)', read: (po) => po.orderedAt },
];
