import type pg from 'pg';
import type { z } from 'zod';
import type { previewAnswer } from '../../api-contract/previews.ts';
import type { Account } from '../../config/config.ts';
import type { FileReading } from '../../intake/file-reading.ts';
import { importPurchaseFile } from '../../intake/import-purchase-file.ts';
import { anyValue, describing } from '../../intake/layouts/answers.ts';
import { type DecidedValue, whyNotAnswer } from '../../intake/layouts/known-values.ts';
import type { Layout } from '../../intake/layouts/layout.ts';
import type { AnsweredElsewhere, SeenColumn } from '../../intake/layouts/seen-column.ts';
import { standsForMany } from '../../intake/layouts/telling-values.ts';
import type { Stage } from '../../intake/types.ts';
import { identityOf } from '../../ledger/imports.ts';
import { rehearseImport } from '../../ledger/staging.ts';
import { notYetKnown } from '../../placing/not-yet-known.ts';
import { ConsoleProblem } from '../problems.ts';
import { inEditor } from './advice.ts';
import { presentDetection } from './describe-file.ts';

/** How many POs, issues and unusual quantities a preview shows. */
const shown = 200;

export type FilePreview = z.input<typeof previewAnswer>;

/** Null instead of undefined, for JSON. */
const orNull = <T>(value: T | undefined): T | null => value ?? null;

/** An answer from another layout, in the form of a choice. */
const choiceOf = ({ answer, layout }: AnsweredElsewhere) =>
  answer === 'leave_out' || answer === 'ask'
    ? { answer, layout }
    : { answer: 'pieces' as const, pieces: Number(answer.slice('pieces '.length)), layout };

/**
 * Previews the orders of a file: reads the whole file like an import, in a transaction that is rolled back.
 * @param file.replaces the import whose file is read again
 * @param more.most maximum number of POs and issues in the answer
 * @param more.beside can read or change the staged data
 */
export const previewFile = async (
  pool: pg.Pool,
  account: Account,
  file: { path: string; fileName: string; sha256: string; replaces: string | null },
  reading: FileReading,
  layouts: readonly Layout[],
  decided: readonly DecidedValue[],
  signal: AbortSignal,
  { most = shown, beside = (stage) => stage }: { most?: number; beside?: (stage: Stage) => Stage } = {},
): Promise<{ answer: FilePreview; seen: SeenColumn[] }> => {
  const identity = await identityOf(pool, account.name, file.sha256);
  const staged = await rehearseImport(
    pool,
    { account: account.name, fileName: file.fileName, sha256: file.sha256 },
    (stage) =>
      importPurchaseFile({
        path: file.path,
        fileName: file.fileName,
        identity,
        ...reading,
        layouts,
        decided,
        codeLists: account.codeLists,
        priceGuard: account.placing.guards.abovePercent !== undefined,
        stage: beside(stage),
        signal,
      }),
    {
      preview: most,
      guards: account.placing.guards,
      ...(file.replaces === null ? {} : { replaces: file.replaces }),
    },
  );
  if (staged.kind === 'already') throw new Error('unreachable: a rehearsal is always a new import');
  if (staged.kind === 'refused')
    return { answer: { kind: 'refused', code: staged.code, message: inEditor(staged.message) }, seen: [] };
  const { counts, outcome, preview } = staged;
  const line = <T extends { expectedPrice: string | undefined }>(one: T) => ({
    ...one,
    expectedPrice: orNull(one.expectedPrice),
  });
  const wrong = decided.flatMap(({ column, value, answer: given, pieces }) => {
    const isThere = outcome.unsaid.some(
      (one) => one.column === column && (value === anyValue || one.values.some(({ key }) => key === value)),
    );
    const why = isThere
      ? whyNotAnswer(column, value, given === 'pieces' ? `pieces ${pieces ?? 1}` : given)
      : 'is not in `unread` of the preview, which names each by `column` and `value`';
    return why === undefined ? [] : [`values: ${JSON.stringify(value)} in ${JSON.stringify(column)} ${why}.`];
  });
  if (wrong.length > 0) throw new ConsoleProblem('invalid', wrong.slice(0, 5).join(' '));
  const answer: FilePreview = {
    kind: 'read',
    counts,
    rowCount: outcome.rowCount,
    sums: { ...preview.sums, goods: orNull(preview.sums.goods) },
    purchaseOrders: preview.purchaseOrders.map((po) => ({
      ...po,
      goods: orNull(po.goods),
      reason: po.reason === undefined ? null : inEditor(po.reason),
    })),
    issues: preview.issues.map((issue) => ({
      ...issue,
      message: inEditor(issue.message),
      poNumber: orNull(issue.poNumber),
      found: orNull(issue.found),
      expected: issue.expected === undefined ? null : inEditor(issue.expected),
    })),
    largestLines: preview.largestLines.map(line),
    unusual: preview.unusual.map(line),
    warnings: outcome.idlePriceGuard === undefined ? [] : [inEditor(outcome.idlePriceGuard)],
    unread: outcome.unsaid.map(({ column, header, values }) => ({
      column,
      header,
      values: values.map(({ key, text, rows, saysNotToOrder = false, elsewhere }) => ({
        value: key,
        text,
        rows,
        isOne: !standsForMany(key),
        saysNotToOrder,
        elsewhere: elsewhere ? choiceOf(elsewhere) : null,
      })),
    })),
    describing: outcome.seen.flatMap(({ header, values }) =>
      values.some(({ key }) => key === describing) ? [header] : [],
    ),
    besides: outcome.news.map(inEditor),
    howItWasRead: presentDetection(outcome.detection),
    mayStillRefuse: notYetKnown(
      account.placing.guards,
      preview.purchaseOrders.some(({ pricedLines }) => pricedLines > 0),
    ),
  };
  return { answer, seen: outcome.seen };
};
