import type { FastifyRequest } from 'fastify';
import { done } from '../../api-contract/access.ts';
import { idParams } from '../../api-contract/basics.ts';
import {
  newView,
  type SavedView,
  savedView,
  savedViews,
  type ViewPage,
  viewsQuery,
} from '../../api-contract/views.ts';
import { listViews, removeView, type SavedView as StoredView, saveView } from '../../ledger/console/views.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf, actorOf, maySee, personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Views');

/** The ID of the requesting user; null for a token. */
const userIdOf = (request: FastifyRequest): string | null => {
  const { id: personId, sessionId } = personOf(request);
  return sessionId === undefined ? null : personId;
};

const ownerOf = (request: FastifyRequest): string => {
  const userId = userIdOf(request);
  if (userId === null)
    throw new ConsoleProblem(
      'not_possible',
      'A token has no views of its own. Sign in to save or remove one.',
    );
  return userId;
};

const isAdmin = (request: FastifyRequest): boolean => personOf(request).role === 'admin';

const present = (view: StoredView, request: FastifyRequest): SavedView => ({
  ...view,
  page: view.page as ViewPage,
  removable: view.own || (view.shared && isAdmin(request)),
});

/** A query without its list position, and the account that it filters by. */
const readSearch = (text: string): { search: string; account: string | null } => {
  const search = new URLSearchParams(text);
  search.delete('cursor');
  return { search: search.toString(), account: search.get('account') || null };
};

/** Adds the views of lists that people save. */
export const addViewRoutes = (app: ConsoleApp, { pool }: ConsoleDeps): void => {
  app.get(
    '/views',
    view('Saved views of a list: your own and those that are shared', savedViews, {
      querystring: viewsQuery,
    }),
    async (request) => {
      const reader = { userId: userIdOf(request), allowed: accountsOf(request) };
      const views = await listViews(pool, request.query.page, reader);
      return { items: views.map((view) => present(view, request)) };
    },
  );

  app.post('/views', view('Save a view of a list', savedView, { body: newView }), async (request) => {
    const { page, name, shared } = request.body;
    const userId = ownerOf(request);
    const { search, account } = readSearch(request.body.search);
    if (account !== null && !maySee(request, account))
      throw new ConsoleProblem('not_found', `There is no account ${account} that you may see.`);
    const view = { page, name, shared, search, account };
    return present(await saveView(pool, userId, view, actorOf(request)), request);
  });

  app.delete(
    '/views/:id',
    view('Remove a saved view: your own, or as an admin one that is shared', done, {
      params: idParams,
    }),
    async (request) => {
      const who = { userId: ownerOf(request), isAdmin: isAdmin(request) };
      if (!(await removeView(pool, request.params.id, who, actorOf(request))))
        throw new ConsoleProblem(
          'not_found',
          'There is no such view that you may remove. Somebody may have removed it already; a shared one is removed by who made it, or by an admin.',
        );
      return { done: true as const };
    },
  );
};
