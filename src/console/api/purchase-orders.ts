import { join } from 'node:path';
import { idParams, type OfferedAction } from '../../api-contract/basics.ts';
import {
  type PoDetail,
  type PoSummary,
  poDetail,
  poFacets,
  poFacetsQuery,
  purchaseOrdersAnswer,
  purchaseOrdersQuery,
  rawRowsAnswer,
} from '../../api-contract/purchase-orders.ts';
import type { Detection } from '../../intake/types.ts';
import { countFacets } from '../../ledger/console/count-purchase-orders.ts';
import { findNumbered } from '../../ledger/console/po-numbers.ts';
import { readPurchaseOrder } from '../../ledger/console/purchase-order.ts';
import {
  countPurchaseOrders,
  type ListedPurchaseOrder,
  listPurchaseOrders,
  sumPurchaseOrders,
  visibleAccounts,
} from '../../ledger/console/purchase-orders.ts';
import { capped } from '../../ledger/console/sql-parts.ts';
import { holdReasonOf } from '../../placing/hold-reasons.ts';
import { meaningOfStatuses } from '../../reports/order-status-meaning.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { findPoRows, noSuchPo } from '../find-purchase-order.ts';
import { type CsvColumn, idOf, idOfCursor, pageOf, sendCsv } from '../list-answers.ts';
import { offeredActions } from '../offered-actions.ts';
import { accountsOf } from '../person.ts';
import { presentPurchaseOrder } from '../present-purchase-order.ts';
import { readRawRows, unreadable } from '../raw-rows.ts';
import { routesOf } from './routes-of.ts';

/** The columns of the list of POs as CSV. */
const poColumns: readonly CsvColumn<PoSummary>[] = [
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

const { view } = routesOf('Purchase orders');

/** Above this, the list shows no total, because it must load at once. */
const mostAddedUp = 1000;

const actionsOf = (
  offered: readonly OfferedAction[],
): Pick<PoSummary, 'actions' | 'advised' | 'unlikely'> => ({
  actions: offered.map(({ action }) => action),
  advised: offered.find(({ rank }) => rank === 'advised')?.action ?? null,
  unlikely: offered.flatMap(({ action, rank }) => (rank === 'unlikely' ? [action] : [])),
});

const summaryOf = ({ leased, mayHaveOrdered, ...po }: ListedPurchaseOrder): PoSummary => ({
  ...po,
  statusMeaning: meaningOfStatuses(po.orderStatuses),
  ...actionsOf(offeredActions({ ...po, leased, mayHaveOrdered })),
});

/** Adds the list of purchase orders and the details of one. */
export const addPurchaseOrderRoutes = (app: ConsoleApp, { pool, config }: ConsoleDeps): void => {
  app.get(
    '/purchase-orders',
    view('Purchase orders by filters', purchaseOrdersAnswer, { querystring: purchaseOrdersQuery }),
    async (request, reply) => {
      const { cursor, limit, format, sort, order, ...asked } = request.query;
      const allowed = accountsOf(request);
      const after = idOfCursor(cursor);
      const { filter, counted, isCut } = await findNumbered(
        pool,
        asked,
        await visibleAccounts(pool, allowed),
      );
      const read = async (behind: string | undefined, most: number) => {
        const page = { sort, order, after: behind, limit: most + 1 };
        const rows = await listPurchaseOrders(pool, filter, page, allowed);
        const { items, next } = pageOf(rows, most, idOf);
        return { items: items.map(summaryOf), next };
      };
      if (format === 'csv')
        return sendCsv(reply, 'purchase-orders', poColumns, (behind) => read(behind, 1000)) as never;
      const [page, count, sum] = await Promise.all([
        read(after, limit),
        countPurchaseOrders(pool, counted, allowed),
        isCut ? undefined : sumPurchaseOrders(pool, filter, allowed, mostAddedUp),
      ]);
      const total = capped(count);
      return { ...page, total: { ...total, more: total.more || isCut }, sum: sum ?? null };
    },
  );

  app.get(
    '/purchase-orders/facets',
    view('Purchase orders by state, and held ones by reason', poFacets, { querystring: poFacetsQuery }),
    async (request) => {
      const { account, importId } = request.query;
      const visible = await visibleAccounts(pool, accountsOf(request));
      const accounts = account === undefined ? visible : visible.filter((one) => one === account);
      const { states, reasons } = await countFacets(pool, accounts, importId);
      return {
        states,
        reasons: reasons.map((one) => ({
          ...one,
          meaning: holdReasonOf(one.reasonCode)?.meaning ?? one.reasonCode,
        })),
      };
    },
  );

  app.get(
    '/purchase-orders/:id',
    view('One purchase order with everything that happened to it', poDetail, { params: idParams }),
    async (request): Promise<PoDetail> => {
      const found = await readPurchaseOrder(pool, request.params.id, accountsOf(request));
      if (!found) throw noSuchPo();
      return presentPurchaseOrder(found);
    },
  );

  app.get(
    '/purchase-orders/:id/rows',
    view('The rows of the file that a purchase order came from', rawRowsAnswer, { params: idParams }),
    async (request) => {
      const found = await findPoRows(pool, request, request.params.id);
      const account = config.accounts.find(({ name }) => name === found.account);
      if (!account)
        return unreadable(
          `The account ${found.account} is not in the configuration of this console, so its files cannot be read here.`,
        );
      if (found.prunedAt !== null)
        return unreadable(
          `The rows were removed on ${found.prunedAt.slice(0, 10)} because of their age (retention).`,
        );
      return readRawRows({
        path: join(account.folder, found.filePath),
        fileName: found.fileName,
        options: account.intake,
        detection: found.detection as Detection | null,
        rowNumbers: found.rowNumbers,
      });
    },
  );
};
