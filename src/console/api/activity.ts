import { type ActivityEntry, activityList, activityQuery } from '../../api-contract/activity.ts';
import { listActivity } from '../../ledger/console/activity.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { answerList, type CsvColumn, idOf, idOfCursor, pageOf } from '../list-answers.ts';
import { accountsOf } from '../person.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Activity');

const csvColumns: readonly CsvColumn<ActivityEntry>[] = [
  { head: 'At (UTC)', read: (entry) => entry.at },
  { head: 'Who', read: (entry) => entry.who },
  { head: 'Through', read: (entry) => entry.via },
  { head: 'Action', read: (entry) => entry.action },
  { head: 'Account', read: (entry) => entry.account },
  { head: 'PO', read: (entry) => entry.poNumber },
  { head: 'File', read: (entry) => entry.fileName },
  { head: 'Import', read: (entry) => entry.importId, numeric: true },
  { head: 'Note', read: (entry) => entry.note },
  { head: 'Details', read: (entry) => entry.detail && JSON.stringify(entry.detail) },
];

/** Adds the activity list. */
export const addActivityRoutes = (app: ConsoleApp, { pool }: ConsoleDeps): void => {
  app.get(
    '/activity',
    view('What persons did, the latest first', activityList, { querystring: activityQuery }),
    async (request, reply) => {
      const { cursor, limit, format, ...filter } = request.query;
      const accounts = accountsOf(request);
      const csv = { name: 'activity', columns: csvColumns };
      return answerList(reply, { format, cursor, limit }, csv, async (after, most) => {
        const asked = { ...filter, accounts, before: idOfCursor(after), whole: format === 'csv' };
        return pageOf(await listActivity(pool, asked, most + 1), most, idOf);
      });
    },
  );
};
