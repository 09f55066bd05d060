import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import { isFirstView } from './data/first-data.ts';
import { fromQuery, textSearch, toQuery } from './data/search-params.ts';
import TodayPage from './pages/today/TodayPage.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { RouteFailed } from './shell/RouteFailed.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

// Part of the first script with what it shares with all other pages, because most visits begin here.
const today = createRoute({ ...at('/'), component: TodayPage });
const purchaseOrders = createRoute({
  ...at('/purchase-orders'),
  validateSearch: textSearch(
    'q',
    'account',
    'state',
    'reason',
    'importId',
    'alarm',
    'quote',
    'age',
    'order',
    'cursor',
  ),
  component: lazyRouteComponent(() => import('./pages/purchase-orders/PurchaseOrdersPage.tsx')),
});
const purchaseOrder = createRoute({
  ...at('/purchase-orders/$id'),
  component: lazyRouteComponent(() => import('./pages/purchase-order/PurchaseOrderPage.tsx')),
});
const imports = createRoute({
  ...at('/imports'),
  validateSearch: textSearch('account', 'outcome', 'from', 'to', 'file', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/imports/ImportsPage.tsx')),
});
const oneImport = createRoute({
  ...at('/imports/$id'),
  validateSearch: textSearch('tab', 'state', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/import/ImportPage.tsx')),
});
const bulkRun = createRoute({
  ...at('/bulk/$id'),
  component: lazyRouteComponent(() => import('./pages/bulk/BulkPage.tsx')),
});
const upload = createRoute({
  ...at('/upload'),
  validateSearch: textSearch('account'),
  component: lazyRouteComponent(() => import('./pages/upload/UploadPage.tsx')),
});
const uploadDraft = createRoute({
  ...at('/upload/$id'),
  validateSearch: textSearch('step'),
  component: lazyRouteComponent(() => import('./pages/upload/DraftPage.tsx')),
});
const accounts = createRoute({
  ...at('/accounts'),
  component: lazyRouteComponent(() => import('./pages/accounts/AccountsPage.tsx')),
});
const account = createRoute({
  ...at('/accounts/$account'),
  component: lazyRouteComponent(() => import('./pages/accounts/AccountPage.tsx')),
});
const reports = createRoute({
  ...at('/reports'),
  validateSearch: textSearch('account', 'from', 'to', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/reports/ReportsPage.tsx')),
});
const activity = createRoute({
  ...at('/activity'),
  validateSearch: textSearch('account', 'who', 'action', 'since', 'until', 'cursor'),
  component: lazyRouteComponent(() => import('./pages/activity/ActivityPage.tsx')),
});
const queues = createRoute({
  ...at('/queues-view'),
  component: lazyRouteComponent(() => import('./pages/queues/QueuesPage.tsx')),
});
const users = createRoute({
  ...at('/users'),
  component: lazyRouteComponent(() => import('./pages/users/UsersPage.tsx')),
});
const tokens = createRoute({
  ...at('/tokens'),
  component: lazyRouteComponent(() => import('./pages/tokens/TokensPage.tsx')),
});
const me = createRoute({
  ...at('/settings/me'),
  component: lazyRouteComponent(() => import('./pages/me/MePage.tsx')),
});
const settings = createRoute({
  ...at('/settings'),
  component: lazyRouteComponent(() => import('./pages/settings/SettingsPage.tsx')),
});

/** @param history by default the browser's */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree: root.addChildren([
      today,
      ...[purchaseOrders, purchaseOrder, imports, oneImport, bulkRun, upload, uploadDraft],
      ...[accounts, account, reports, activity, queues, users, tokens, settings, me],
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
