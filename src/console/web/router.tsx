import { createRootRoute, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { laterPage } from './components/later.tsx';
import { isFirstView } from './data/first-data.ts';
import { fromQuery, textSearch, toQuery } from './data/search-params.ts';
import TodayPage from './pages/today/TodayPage.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { RouteFailed } from './shell/RouteFailed.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

// Part of the first script with what it shares with all other pages, because most visits begin here.
const today = createRoute({ ...at('/'), validateSearch: textSearch('mine'), component: TodayPage });
const purchaseOrders = createRoute({
  ...at('/purchase-orders'),
  validateSearch: textSearch(
    ...(['q', 'account', 'state', 'reason', 'message', 'importId', 'alarm', 'cause'] as const),
    ...(['needs', 'assignee', 'quote', 'age', 'sort', 'cursor'] as const),
  ),
  component: laterPage(() => import('./pages/purchase-orders/PurchaseOrdersPage.tsx')),
});
const purchaseOrder = createRoute({
  ...at('/purchase-orders/$id'),
  validateSearch: textSearch('row'),
  component: laterPage(() => import('./pages/purchase-order/PurchaseOrderPage.tsx')),
});
const orders = createRoute({
  ...at('/orders'),
  validateSearch: textSearch(
    'q',
    'account',
    'status',
    'look',
    'day',
    'from',
    'to',
    'sort',
    'importId',
    'cursor',
  ),
  component: laterPage(() => import('./pages/orders/OrdersPage.tsx')),
});
const imports = createRoute({
  ...at('/imports'),
  validateSearch: textSearch('account', 'outcome', 'from', 'to', 'file', 'sort', 'cursor'),
  component: laterPage(() => import('./pages/imports/ImportsPage.tsx')),
});
const oneImport = createRoute({
  ...at('/imports/$id'),
  validateSearch: textSearch('tab', 'state', 'cursor'),
  component: laterPage(() => import('./pages/import/ImportPage.tsx')),
});
const correct = createRoute({
  ...at('/imports/$id/correct'),
  validateSearch: textSearch('po'),
  component: laterPage(() => import('./pages/correct/CorrectPage.tsx')),
});
const bulkRun = createRoute({
  ...at('/bulk/$id'),
  component: laterPage(() => import('./pages/bulk/BulkPage.tsx')),
});
const upload = createRoute({
  ...at('/upload'),
  validateSearch: textSearch('account'),
  component: laterPage(() => import('./pages/upload/UploadPage.tsx')),
});
const uploadDraft = createRoute({
  ...at('/upload/$id'),
  validateSearch: textSearch('step'),
  component: laterPage(() => import('./pages/upload/DraftPage.tsx')),
});
const accounts = createRoute({
  ...at('/accounts'),
  component: laterPage(() => import('./pages/accounts/AccountsPage.tsx')),
});
const account = createRoute({
  ...at('/accounts/$account'),
  component: laterPage(() => import('./pages/accounts/AccountPage.tsx')),
});
const reports = createRoute({
  ...at('/reports'),
  validateSearch: textSearch('account', 'from', 'to', 'cursor'),
  component: laterPage(() => import('./pages/reports/ReportsPage.tsx')),
});
const statistics = createRoute({
  ...at('/statistics'),
  validateSearch: textSearch('account', 'span', 'by', 'within'),
  component: laterPage(() => import('./pages/statistics/StatisticsPage.tsx')),
});
const activity = createRoute({
  ...at('/activity'),
  validateSearch: textSearch('account', 'who', 'action', 'since', 'until', 'cursor'),
  component: laterPage(() => import('./pages/activity/ActivityPage.tsx')),
});
const queues = createRoute({
  ...at('/queues-view'),
  validateSearch: textSearch('at'),
  component: laterPage(() => import('./pages/queues/QueuesPage.tsx')),
});
const users = createRoute({
  ...at('/users'),
  component: laterPage(() => import('./pages/users/UsersPage.tsx')),
});
const tokens = createRoute({
  ...at('/tokens'),
  component: laterPage(() => import('./pages/tokens/TokensPage.tsx')),
});
const me = createRoute({
  ...at('/settings/me'),
  component: laterPage(() => import('./pages/me/MePage.tsx')),
});
const settings = createRoute({
  ...at('/settings'),
  component: laterPage(() => import('./pages/settings/SettingsPage.tsx')),
});

/** @param history by default the browser's */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree: root.addChildren([
      today,
      ...[purchaseOrders, purchaseOrder, orders, imports, oneImport, correct, bulkRun, upload, uploadDraft],
      ...[accounts, account, statistics, reports, activity, queues, users, tokens, settings, me],
    ]),
    ...(history ? { history } : {}),
    parseSearch: fromQuery,
    stringifySearch: toQuery,
    // Drawn by the server, it would be a script within the page.
    scrollRestoration: !isFirstView,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteFailed,
    defaultPendingMs: 300,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
