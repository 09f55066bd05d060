import { basename } from 'node:path';
import { z } from 'zod';
import { accountParams } from '../../api-contract/basics.ts';
import {
  type Report,
  reportsAnswer,
  reportsQuery,
  writeReportAnswer,
  writeReportRequest,
} from '../../api-contract/reports.ts';
import { recordAccountAction } from '../../ledger/console/activity.ts';
import {
  findStatusReport,
  type ListedReport,
  listReports,
  type ReportPosition,
  readResultState,
} from '../../ledger/console/reports.ts';
import { inFormat, otherFormats, reportFormats, sendAccountFile, whyMissing } from '../account-files.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { answerList, type CsvColumn, pageOf, wrongCursor } from '../list-answers.ts';
import { accountsOf, actorOf, maySee } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { assertCanRun, enqueue } from '../run-now.ts';
import { routesOf } from './routes-of.ts';

const { act, route, view } = routesOf('Reports');

const csvColumns: readonly CsvColumn<Report>[] = [
  { head: 'File', read: (one) => one.fileName },
  { head: 'Kind', read: (one) => (one.kind === 'result' ? 'result file' : 'status report') },
  { head: 'Account', read: (one) => one.account },
  { head: 'Import', read: (one) => one.importId, numeric: true },
  { head: 'Of the file', read: (one) => one.sourceName },
  { head: 'Written (UTC)', read: (one) => one.writtenAt },
  { head: 'Written again soon', read: (one) => (one.due ? 'yes' : '') },
];

const positionOf = (cursor: string | undefined): ReportPosition | undefined => {
  if (cursor === undefined) return undefined;
  const match = /^(\d{1,15})\.((?:status|result) .+)$/s.exec(cursor);
  if (!match) throw wrongCursor();
  return { writtenMs: match[1]!, name: match[2]! };
};

/** Adds the list of reports and their downloads. */
export const addReportRoutes = (app: ConsoleApp, { pool, config, work }: ConsoleDeps): void => {
  const shown = async (one: ListedReport): Promise<Report> => {
    const { importId, account, sourceName, path, writtenAt, due } = one;
    const why = await whyMissing(config, account, path);
    const href =
      importId === null
        ? `/api/v1/reports/status/${encodeURIComponent(account)}`
        : `/api/v1/imports/${importId}/files/result`;
    return {
      kind: importId === null ? 'status_report' : 'result',
      account,
      importId,
      sourceName,
      fileName: basename(path),
      writtenAt,
      due,
      href,
      available: why === null,
      why,
      others: await otherFormats(config, { account, path, href }),
    };
  };

  app.get(
    '/reports',
    view('Written reports, latest first', reportsAnswer, { querystring: reportsQuery }),
    async (request, reply) => {
      const { cursor, limit, format, ...filter } = request.query;
      const allowed = accountsOf(request);
      const csv = { name: 'reports', columns: csvColumns };
      return answerList(reply, { format, cursor, limit }, csv, async (after, most) => {
        const rows = await listReports(pool, filter, { after: positionOf(after), limit: most + 1 }, allowed);
        const { items, next } = pageOf(rows, most, (last) => `${last.writtenMs}.${last.name}`);
        return { items: await Promise.all(items.map(shown)), next };
      });
    },
  );

  app.get(
    '/reports/status/:account',
    route('view', 'Download the last status report of an account', {
      params: accountParams,
      querystring: z.object({ format: z.enum(reportFormats).optional() }),
    }),
    async (request, reply) => {
      const { account } = request.params;
      const path = maySee(request, account) ? await findStatusReport(pool, account) : undefined;
      if (path === undefined)
        throw new ConsoleProblem('not_found', 'No status report was found at this address.');
      return sendAccountFile(reply, config, account, inFormat(path, request.query.format));
    },
  );

  app.post(
    '/reports',
    act('Write the status report of an account or the result file of an import now', writeReportAnswer, {
      body: writeReportRequest,
    }),
    async (request) => {
      const { note } = request.body;
      if ('account' in request.body) {
        const { account } = request.body;
        if (!maySee(request, account))
          throw new ConsoleProblem('not_found', 'There is no account of this name.');
        await assertCanRun(pool, 'report', account);
        await enqueue(() => work.runNow('report', account));
        await recordAccountAction(pool, 'run_report', actorOf(request), { account, note });
        return { sentence: `The status report of ${account} is written now.` };
      }
      const { importId } = request.body;
      const found = await readResultState(pool, importId, accountsOf(request));
      if (!found) throw new ConsoleProblem('not_found', 'There is no import of this number.');
      if (found.state !== 'read' && found.state !== 'refused')
        throw new ConsoleProblem(
          'not_possible',
          found.state === 'taken'
            ? `${found.fileName} is not read yet; its result file is written after that.`
            : `${found.fileName} repeats an earlier import and has no result file of its own.`,
        );
      if (!found.due)
        return {
          sentence: `The result file of ${found.fileName} is up to date: nothing has changed since it was written at ${found.writtenAt}.`,
        };
      const { account } = found;
      await assertCanRun(pool, 'report', account);
      await enqueue(() => work.writeResult(importId));
      await recordAccountAction(pool, 'write_result', actorOf(request), { account, importId, note });
      return { sentence: `The result file of ${found.fileName} is written now.` };
    },
  );
};
