import { listActivity } from '../../ledger/console/activity.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { activityList, activityQuery } from './schemas/activity.ts';

const idOf = (cursor: string | undefined): string | undefined => {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new ConsoleProblem('invalid', 'The cursor is not one that the console gave.');
  }
  return cursor;
};

/** Adds the list of what persons did. */
export const addActivityRoutes = (app: ConsoleApp, { pool }: ConsoleDeps): void => {
  app.get(
    '/activity',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'What persons did, the latest first',
        tags: ['Activity'],
        querystring: activityQuery,
        response: { 200: activityList },
      },
    },
    async (request) => {
      const { cursor, limit, ...filter } = request.query;
      const rows = await listActivity(
        pool,
        { ...filter, accounts: accountsOf(request), before: idOf(cursor) },
        limit + 1,
      );
      const items = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }));
      return { items, next: rows.length > limit ? items.at(-1)!.id : null };
    },
  );
};
