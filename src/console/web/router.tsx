import { createRootRoute, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { laterPage } from './components/later.tsx';
import { isFirstView } from './data/first-data.ts';
import { fromQuery, textSearch, toQuery } from './data/search-params.ts';
import TodayPage from './pages/today/TodayPage.tsx';
import { NotFound, RouteFailed } from './shell/RouteEnds.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** A page whose code is loaded when it is opened, with its search parameters. */
const page = <Path extends string, Name extends string = never>(
  path: Path,
  load: Parameters<typeof laterPage>[0],
  ...names: Name[]
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: textSearch(...names),
    component: laterPage(load),
  });

const pages = [
  // Part of the first script, because most visits begin here.
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: textSearch('mine'),
    component: TodayPage,
  }),
  page(
    '/purchase-orders',
    () => import('./pages/purchase-orders/PurchaseOrdersPage.tsx'),
    ...(['q', 'account', 'state', 'reason', 'message', 'importId', 'alarm', 'cause'] as const),
    ...(['needs', 'assignee', 'quote', 'age', 'sort', 'cursor'] as const),
  ),
  page('/purchase-orders/$id', () => import('./pages/purchase-order/PurchaseOrderPage.tsx'), 'row'),
  page(
    '/orders',
    () => import('./pages/orders/OrdersPage.tsx'),
    ...(['q', 'account', 'status', 'look', 'day', 'from', 'to', 'sort', 'importId', 'cursor'] as const),
  ),
  page(
    '/imports',
    () => import('./pages/imports/ImportsPage.tsx'),
    ...(['account', 'outcome', 'from', 'to', 'file', 'sort', 'cursor'] as const),
  ),
  page('/imports/$id', () => import('./pages/import/ImportPage.tsx'), 'tab', 'state', 'cursor'),
  page('/imports/$id/correct', () => import('./pages/correct/CorrectPage.tsx'), 'po'),
  page('/bulk/$id', () => import('./pages/bulk/BulkPage.tsx')),
  page('/upload', () => import('./pages/upload/UploadPage.tsx'), 'account'),
  page('/upload/$id', () => import('./pages/upload/DraftPage.tsx'), 'step'),
  page('/accounts', () => import('./pages/accounts/AccountsPage.tsx')),
  page('/accounts/$account', () => import('./pages/accounts/AccountPage.tsx')),
  page(
    '/statistics',
    () => import('./pages/statistics/StatisticsPage.tsx'),
    'account',
    'span',
    'by',
    'within',
  ),
  page('/reports', () => import('./pages/reports/ReportsPage.tsx'), 'account', 'from', 'to', 'cursor'),
  page(
    '/activity',
    () => import('./pages/activity/ActivityPage.tsx'),
    ...(['account', 'who', 'action', 'since', 'until', 'cursor'] as const),
  ),
  page('/queues-view', () => import('./pages/queues/QueuesPage.tsx'), 'at'),
  page('/users', () => import('./pages/users/UsersPage.tsx')),
  page('/tokens', () => import('./pages/tokens/TokensPage.tsx')),
  page('/settings', () => import('./pages/settings/SettingsPage.tsx')),
  page('/settings/me', () => import('./pages/me/MePage.tsx')),
] as const;

/** @param history by default the browser's */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree: root.addChildren(pages),
    ...(history ? { history } : {}),
    parseSearch: fromQuery,
    stringifySearch: toQuery,
    // On the server, it would render an inline script.
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
