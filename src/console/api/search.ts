import {
  filesAnswer,
  filesQuery,
  searchAnswer,
  searchKinds,
  searchQuery,
} from '../../api-contract/search.ts';
import { visibleAccounts } from '../../ledger/console/purchase-orders.ts';
import { searchLedger } from '../../ledger/console/search.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Search');

/** Adds the search of the palette and of the list of POs. */
export const addSearchRoutes = (app: ConsoleApp, { pool, work }: ConsoleDeps): void => {
  app.get(
    '/search',
    view(
      'Search by PO, order, tracking or invoice number, SKU, ship-to name, ZIP or file name',
      searchAnswer,
      { querystring: searchQuery },
    ),
    async (request) => {
      const { q, limit } = request.query;
      const hits = await searchLedger(pool, q, limit + 1, accountsOf(request));
      const groups = searchKinds.flatMap((kind) => {
        const mine = hits.filter((hit) => hit.kind === kind);
        return mine.length === 0 ? [] : [{ kind, hits: mine.slice(0, limit), more: mine.length > limit }];
      });
      return { groups };
    },
  );

  app.get(
    '/search/files',
    view(
      'Search for a PO number in files that are in an inbox, wait, were refused or left it out',
      filesAnswer,
      { querystring: filesQuery },
    ),
    async (request) => work.lookInFiles(request.query.po, await visibleAccounts(pool, accountsOf(request))),
  );
};
