import type { FastifyRequest } from 'fastify';
import { idParams } from '../../api-contract/basics.ts';
import {
  type BulkRun,
  bulkCountAnswer,
  bulkCountRequest,
  bulkRequest,
  bulkRun,
  bulkRunsAnswer,
  bulkRunsQuery,
} from '../../api-contract/bulk.ts';
import type { PoFilter } from '../../api-contract/purchase-orders.ts';
import {
  addRun,
  findRun,
  listRuns,
  type BulkRun as StoredRun,
  stopRun,
} from '../../ledger/console/bulk-runs.ts';
import { countPurchaseOrders, sumPurchaseOrders } from '../../ledger/console/purchase-orders.ts';
import { countedAtMost } from '../../ledger/console/sql-parts.ts';
import { bulkFilterOf } from '../../placing/bulk-filter.ts';
import type { OperatorAction } from '../../placing/operator-actions.ts';
import { filterSentence, othersSentence, pos, runSentence } from '../action-words.ts';
import { assertAssignee } from '../assignee.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { answerList, type CsvColumn, idOf, idOfCursor, pageOf } from '../list-answers.ts';
import { overlappingRuns } from '../overlapping-runs.ts';
import { accountsOf, actorOf, maySee } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

/** Maximum number of POs of one run. */
const mostPos = 100_000;

const shownRun = ({ accounts: _accounts, via: _via, reasons, ...run }: StoredRun): BulkRun => ({
  ...run,
  filter: run.filter as PoFilter,
  sentence: runSentence(run.action, run.expected, run.filter as PoFilter),
  reasons: Object.entries(reasons)
    .map(([why, count]) => ({ why, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 20),
});

const csvColumns: readonly CsvColumn<BulkRun>[] = [
  { head: 'Run', read: (run) => run.id, numeric: true },
  { head: 'What', read: (run) => run.sentence },
  { head: 'Who', read: (run) => run.who },
  { head: 'State', read: (run) => run.state },
  { head: 'POs', read: (run) => run.expected, numeric: true },
  { head: 'Changed', read: (run) => run.done, numeric: true },
  { head: 'Not changed', read: (run) => run.notDone, numeric: true },
  { head: 'Started (UTC)', read: (run) => run.createdAt },
  { head: 'Ended (UTC)', read: (run) => run.finishedAt },
  { head: 'Stopped by', read: (run) => run.stoppedBy },
  { head: 'Note', read: (run) => run.note },
];

const noSuchRun = 'No bulk run was found at this address.';

/** Adds actions on all POs that match a filter. */
export const addBulkRoutes = (app: ConsoleApp, { pool, work }: ConsoleDeps): void => {
  const { act, view } = routesOf('Actions');

  /** The POs that a run would try. */
  const tried = (action: OperatorAction, filter: PoFilter) => {
    const wanted = bulkFilterOf(action, filter);
    if (wanted.state.length === 0)
      throw new ConsoleProblem(
        'not_possible',
        `The action “${action.replaceAll('_', ' ')}” is possible for none of these purchase orders.`,
      );
    return wanted;
  };
  const count = async (request: FastifyRequest, wanted: ReturnType<typeof tried>): Promise<number> => {
    if (wanted.account !== undefined && !maySee(request, wanted.account)) return 0;
    return countPurchaseOrders(pool, wanted, accountsOf(request), mostPos);
  };

  app.post(
    '/bulk/count',
    act(
      'How many POs a bulk run would try',
      bulkCountAnswer,
      { body: bulkCountRequest },
      { onlyReads: true },
    ),
    async (request) => {
      const { action, filter } = request.body;
      const wanted = tried(action, filter);
      const found = await count(request, wanted);
      const others = (await count(request, { ...wanted, notReasons: [] })) - found;
      const accounts = accountsOf(request);
      const sum = await sumPurchaseOrders(pool, wanted, accounts, countedAtMost);
      const running = { running: true, limit: 100 };
      const [all, own] = [await listRuns(pool, running, null), await listRuns(pool, running, accounts)];
      const ownIds = new Set(own.map((run) => run.id));
      return {
        count: { count: Math.min(found, countedAtMost), more: found > countedAtMost },
        exact: found > mostPos ? null : found,
        sum: sum ?? null,
        others,
        sentence: `${runSentence(action, found, filter)}${othersSentence(others)}`,
        running: overlappingRuns(all, { action, filter, accounts })
          .slice(0, 5)
          .map((run) => ({
            id: ownIds.has(run.id) ? run.id : null,
            who: run.who,
            // Hide the filters of runs that the person may not see.
            sentence: filterSentence(run.action, ownIds.has(run.id) ? (run.filter as PoFilter) : {}),
            createdAt: run.createdAt,
          })),
      };
    },
  );

  app.post(
    '/bulk',
    act('Start an action on all POs that match', bulkRun, { body: bulkRequest }),
    async (request) => {
      const { action, filter, expected, note, assignee } = request.body;
      await assertAssignee(
        pool,
        request,
        { action, assignee },
        filter.account === undefined ? [] : [filter.account],
      );
      const found = await count(request, tried(action, filter));
      if (found > mostPos)
        throw new ConsoleProblem(
          'not_possible',
          `More than ${mostPos.toLocaleString('en-US')} POs match. Narrow the filter, for example to one import.`,
        );
      if (found === 0) throw new ConsoleProblem('conflict', 'No PO matches any more. Nothing was changed.');
      if (found !== expected)
        throw new ConsoleProblem(
          'conflict',
          `You confirmed ${pos(expected)}, but ${found === 1 ? '1 matches' : `${found.toLocaleString('en-US')} match`} now. Nothing was changed; look at the list again.`,
        );
      const accounts = accountsOf(request);
      const run = await addRun(pool, {
        ...{ action, filter, expected, accounts, note, assignee },
        ...actorOf(request),
      });
      work.continueBulkRuns();
      return shownRun(run);
    },
  );

  app.get(
    '/bulk',
    view('Bulk runs, latest first', bulkRunsAnswer, { querystring: bulkRunsQuery }),
    async (request, reply) => {
      const { cursor, limit, format, running = false } = request.query;
      const allowed = accountsOf(request);
      const csv = { name: 'bulk-runs', columns: csvColumns };
      return answerList(reply, { format, cursor, limit }, csv, async (after, most) => {
        const page = { running, after: idOfCursor(after), limit: most + 1 };
        const { items, next } = pageOf(await listRuns(pool, page, allowed), most, idOf);
        return { items: items.map(shownRun), next };
      });
    },
  );

  const find = async (request: FastifyRequest, runId: string): Promise<StoredRun> => {
    const run = await findRun(pool, runId, accountsOf(request));
    if (!run) throw new ConsoleProblem('not_found', noSuchRun);
    return run;
  };

  app.get(
    '/bulk/:id',
    view('One bulk run and its progress', bulkRun, { params: idParams }),
    async (request) => shownRun(await find(request, request.params.id)),
  );

  app.post('/bulk/:id/stop', act('Stop a bulk run', bulkRun, { params: idParams }), async (request) => {
    const { id: runId } = await find(request, request.params.id);
    const stopped = await stopRun(pool, runId, actorOf(request));
    const run = await find(request, runId);
    if (!stopped)
      throw new ConsoleProblem(
        'conflict',
        run.state === 'stopped' ? `${run.stoppedBy} has stopped it already.` : 'The run had ended already.',
      );
    return shownRun(run);
  });
};
