import type { FastifyRequest } from 'fastify';
import { idParams } from '../../api-contract/basics.ts';
import {
  type IssueRow,
  issueRowsAnswer,
  issueRowsQuery,
  issuesAnswer,
} from '../../api-contract/import-issues.ts';
import {
  type HowItWasRead,
  type ImportDetail,
  type ImportSummary,
  importDetail,
  importsAnswer,
  importsQuery,
  importTimeline,
} from '../../api-contract/imports.ts';
import { listImportEvents } from '../../ledger/console/import-events.ts';
import { groupIssues, listIssues } from '../../ledger/console/import-issues.ts';
import { listImports, listPosElsewhere, type ShownImport } from '../../ledger/console/imports.ts';
import { explainHold } from '../../placing/hold-reasons.ts';
import { filesOf } from '../account-files.ts';
import { adviseOn } from '../advised-actions.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { findImport } from '../find-import.ts';
import { advisingOn, importActions, placeForImport } from '../import-actions.ts';
import { describeImportEvent } from '../import-event-words.ts';
import { fixOf, stepsOf, summaryOfImport } from '../import-words.ts';
import { answerList, type CsvColumn, idOf, idOfCursor, pageOf, wrongCursor } from '../list-answers.ts';
import { groupActions } from '../offered-actions.ts';
import { accountsOf } from '../person.ts';
import { routesOf } from './routes-of.ts';

const csvColumns: readonly CsvColumn<ImportSummary>[] = [
  { head: 'Import', read: (one) => one.id, numeric: true },
  { head: 'File', read: (one) => one.fileName },
  { head: 'Account', read: (one) => one.account },
  { head: 'Outcome', read: (one) => one.outcome },
  { head: 'In words', read: (one) => one.outcomeText },
  { head: 'Picked up (UTC)', read: (one) => one.takenAt },
  { head: 'By', read: (one) => one.uploadedBy ?? 'folder' },
  { head: 'Rows', read: (one) => one.rowCount, numeric: true },
  { head: 'POs', read: (one) => one.poCount, numeric: true },
  { head: 'Ordered', read: ({ states }) => (states.ordered ?? 0) + (states.closed ?? 0), numeric: true },
  { head: 'Held', read: ({ states }) => states.held ?? 0, numeric: true },
  { head: 'Failed', read: ({ states }) => states.failed ?? 0, numeric: true },
  { head: 'Rejected', read: ({ states }) => states.rejected ?? 0, numeric: true },
  { head: 'Quoted', read: ({ states }) => states.quoted ?? 0, numeric: true },
  { head: 'Cancelled', read: ({ states }) => states.cancelled ?? 0, numeric: true },
  { head: 'Corrected in a later file', read: ({ states }) => states.corrected ?? 0, numeric: true },
  { head: 'Not needed', read: ({ states }) => states.not_needed ?? 0, numeric: true },
  { head: 'Assigned to', read: (one) => one.assignee },
  { head: 'Issues', read: (one) => one.issueCount, numeric: true },
  { head: 'Seconds', read: (one) => (one.durationMs === null ? null : one.durationMs / 1000), numeric: true },
];

const issueColumns: readonly CsvColumn<IssueRow>[] = [
  { head: 'Row', read: (one) => one.rowNumber, numeric: true },
  { head: 'PO', read: (one) => one.poNumber },
  { head: 'Column', read: (one) => one.column },
  { head: 'Found', read: (one) => one.found },
  { head: 'Expected', read: (one) => one.expected },
  { head: 'Message', read: (one) => one.message },
  { head: 'Severity', read: (one) => one.severity },
];

const howItWasRead = ({ detection, format }: ShownImport): HowItWasRead | null =>
  detection && {
    format: format ?? detection.format,
    encoding: detection.encoding ?? null,
    delimiter: detection.delimiter ?? null,
    sheet: detection.sheet ?? null,
    headerRow: detection.headerRow,
    columns: detection.columns,
    decisions: detection.decisions.map((one) => ({ ...one, override: one.override ?? null })),
  };

const positionOf = (cursor: string | undefined): { rowNumber: number; nth: number } | undefined => {
  if (cursor === undefined) return undefined;
  const match = /^(\d{1,9})\.(\d{1,6})$/.exec(cursor);
  if (!match) throw wrongCursor();
  return { rowNumber: Number(match[1]), nth: Number(match[2]) };
};

/** Adds the list of imports and the details of one. */
export const addImportRoutes = (app: ConsoleApp, { pool, config }: ConsoleDeps): void => {
  const find = (request: FastifyRequest, importId: string) => findImport(pool, request, importId);
  const { view } = routesOf('Imports');

  app.get(
    '/imports',
    view('Purchase files by filters', importsAnswer, { querystring: importsQuery }),
    async (request, reply) => {
      const { cursor, limit, format, sort, order, ...filter } = request.query;
      const allowed = accountsOf(request);
      const csv = { name: 'imports', columns: csvColumns };
      return answerList(reply, { format, cursor, limit }, csv, async (after, most) => {
        const page = { sort, order, after: idOfCursor(after), limit: most + 1 };
        const { items, next } = pageOf(await listImports(pool, filter, page, allowed), most, idOf);
        return { items: items.map(summaryOfImport), next };
      });
    },
  );

  app.get(
    '/imports/:id',
    view('One import', importDetail, { params: idParams }),
    async (request): Promise<ImportDetail> => {
      const one = await find(request, request.params.id);
      return {
        ...one,
        ...summaryOfImport(one),
        warning: one.warning && advisingOn(one)(one.warning),
        steps: stepsOf(one),
        others: await listPosElsewhere(pool, one.id),
        otherCount: one.elsewhereCount + one.cameAgainCount,
        heldFor: one.heldFor.map(({ reasonCode, count }) => {
          const about = { state: 'held', reasonCode, quoteOnly: one.quoteOnly } as const;
          const { advice, place } = adviseOn({ ...about, alarm: null, settled: false });
          return {
            reasonCode,
            meaning: explainHold(reasonCode, one.quoteOnly)?.meaning ?? reasonCode,
            advice,
            place,
            count,
            actions: groupActions(reasonCode, one.quoteOnly),
          };
        }),
        howItWasRead: howItWasRead(one),
        files: await filesOf(config, one),
        actions: importActions(one),
        place: placeForImport(one),
      };
    },
  );

  app.get(
    '/imports/:id/issues',
    view('Row issues by column and cause', issuesAnswer, { params: idParams }),
    async (request) => {
      const one = await find(request, request.params.id);
      const groups = await groupIssues(pool, one.id);
      const advising = advisingOn(one);
      return {
        groups: groups.map((group) => ({ ...group, message: advising(group.message), fix: fixOf(group) })),
        total: one.issueCount,
      };
    },
  );

  app.get(
    '/imports/:id/issues/rows',
    view('Row issues by row', issueRowsAnswer, { params: idParams, querystring: issueRowsQuery }),
    async (request, reply) => {
      const { cursor, limit, format, ...filter } = request.query;
      const one = await find(request, request.params.id);
      const { id: importId } = one;
      const advising = advisingOn(one);
      const csv = { name: `import-${importId}-issues`, columns: issueColumns };
      return answerList(reply, { format, cursor, limit }, csv, async (after, most) => {
        const found = await listIssues(pool, importId, filter, { after: positionOf(after), limit: most + 1 });
        const rows = found.map((row) => ({ ...row, message: advising(row.message) }));
        return pageOf(rows, most, ({ rowNumber, nth }) => `${rowNumber}.${nth}`);
      });
    },
  );

  app.get(
    '/imports/:id/timeline',
    view('What happened to an import', importTimeline, { params: idParams }),
    async (request) => {
      const { id: importId } = await find(request, request.params.id);
      return { events: (await listImportEvents(pool, importId)).map(describeImportEvent) };
    },
  );
};
