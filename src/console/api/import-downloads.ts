import { Readable } from 'node:stream';
import { z } from 'zod';
import { id } from '../../api-contract/basics.ts';
import { listImportEvents } from '../../ledger/console/import-events.ts';
import { groupIssues } from '../../ledger/console/import-issues.ts';
import type { ShownImport } from '../../ledger/console/imports.ts';
import { listPurchaseOrders } from '../../ledger/console/purchase-orders.ts';
import { notOrderedPath } from '../../reports/result-name.ts';
import { inFormat, reportFormats, sendAccountFile, whyPruned } from '../account-files.ts';
import { attachment } from '../attachment.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { findImport } from '../find-import.ts';
import { describeImportEvent } from '../import-event-words.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { route } = routesOf('Imports');

/** Streams the POs of an import, for its log. */
async function* logOf(pool: ConsoleDeps['pool'], one: ShownImport): AsyncGenerator<string> {
  const { detection, filePath: _, ...facts } = one;
  const head = {
    ...facts,
    howItWasRead: detection,
    issues: await groupIssues(pool, one.id),
    timeline: (await listImportEvents(pool, one.id)).map(describeImportEvent),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"purchaseOrders":[`;
  let after: string | undefined;
  let before = '\n';
  for (;;) {
    const rows = await listPurchaseOrders(
      pool,
      { importId: one.id },
      { order: 'oldest', after, limit: 1000 },
      null,
    );
    if (rows.length > 0) yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    if (rows.length < 1000) break;
    before = ',\n';
    after = rows.at(-1)!.id;
  }
  yield '\n]}\n';
}

/** Adds the downloads of an import. */
export const addImportDownloads = (app: ConsoleApp, { pool, config }: ConsoleDeps): void => {
  app.get(
    '/imports/:id/files/:kind',
    route(
      'view',
      'Download the source file, the result file, what has to be corrected, or the log of an import',
      {
        params: z.object({ id, kind: z.enum(['source', 'result', 'not-ordered', 'log']) }),
        querystring: z.object({
          format: z.enum(reportFormats).optional().describe('Of a result file that was written in several.'),
        }),
      },
    ),
    async (request, reply) => {
      const one = await findImport(pool, request, request.params.id);
      const { kind } = request.params;
      if (kind === 'log') {
        attachment(reply, `import-${one.id}.log.json`, 'application/json; charset=utf-8');
        return reply.send(Readable.from(logOf(pool, one), { objectMode: false }));
      }
      if (kind !== 'source' && one.resultPath === null)
        throw new ConsoleProblem('not_found', 'No result file was written yet.');
      const path =
        kind === 'source'
          ? one.filePath
          : kind === 'result'
            ? inFormat(one.resultPath!, request.query.format)
            : notOrderedPath(one.resultPath!);
      const pruned = kind === 'source' ? whyPruned(one) : null;
      if (pruned !== null) throw new ConsoleProblem('not_found', pruned);
      return sendAccountFile(reply, config, one.account, path, kind === 'source' ? one.fileName : undefined);
    },
  );
};
