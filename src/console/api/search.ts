import { visibleAccounts } from '../../ledger/console/purchase-orders.ts';
import { searchLedger } from '../../ledger/console/search.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { filesAnswer, filesQuery, searchAnswer, searchKinds, searchQuery } from './schemas/search.ts';

/** Adds the search of the palette and of the list of POs. */
export const addSearchRoutes = (app: ConsoleApp, { pool, work }: ConsoleDeps): void => {
  app.get(
    '/search',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'Search by PO, order, tracking or invoice number, SKU, ship-to name, ZIP or file name',
        tags: ['Search'],
        querystring: searchQuery,
        response: { 200: searchAnswer },
      },
    },
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
    {
      config: { needs: 'view' },
      schema: {
        summary: 'Search for a PO number in files that are in an inbox, wait, were refused or left it out',
        tags: ['Search'],
        querystring: filesQuery,
        response: { 200: filesAnswer },
      },
    },
    async (request) => work.lookInFiles(request.query.po, await visibleAccounts(pool, accountsOf(request))),
  );
};
