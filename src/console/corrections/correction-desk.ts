import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CorrectedRow, CorrectionRequest } from '../../api-contract/corrections.ts';
import { fieldNames } from '../../intake/columns/fields.ts';
import { newClaimId, privateCopyPath } from '../../intake/inbox/claim-id.ts';
import { confirmCorrection } from '../../ledger/console/confirm-corrections.ts';
import { type CorrectableImport, findCorrectable } from '../../ledger/console/corrections.ts';
import { placeFile } from '../../place-file.ts';
import { pos } from '../action-words.ts';
import type { ConsoleDeps } from '../console-app.ts';
import { noSuchImport } from '../find-import.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { claimConfirmed } from '../uploads/claim-upload.ts';
import { createReading } from '../uploads/upload-desk.ts';
import { createUploadPlaces, type UploadPlace, uploadsFolder } from '../uploads/upload-places.ts';
import {
  type CheckedRows,
  checkCorrection,
  isBlankRow,
  nameOfCorrected,
  orderableOf,
  writeCorrectedRows,
} from './check-correction.ts';
import { correctedPos, type KeptRow, listChanges } from './list-changes.ts';
import { addColumns, assertCorrectable, type OpenedCorrection, openCorrection } from './open-correction.ts';

/** Cache of opened corrections, because each one is checked many times. */
const kept = { atMost: 10, forMs: 15 * 60_000 };

interface Opened {
  opened: OpenedCorrection;
  place: UploadPlace;
}

/** @throws ConsoleProblem in all of its functions: `not_found`, `not_possible`, `conflict`, `too_many_requests` */
export const createCorrectionDesk = (deps: ConsoleDeps) => {
  const { pool, config, logger } = deps;
  const places = createUploadPlaces({ pool, config, logger });
  const read = createReading();
  const recent = new Map<string, Opened & { until: number }>();

  const find = async (request: FastifyRequest, importId: string): Promise<CorrectableImport> => {
    const from = await findCorrectable(pool, importId, accountsOf(request));
    if (from) return from;
    throw noSuchImport();
  };

  const keyOf = (importId: string, ids: readonly string[]) => `${importId}: ${[...ids].sort().join()}`;

  const openAnew = async (
    reply: FastifyReply,
    from: CorrectableImport,
    ids: readonly string[] | null,
  ): Promise<Opened> => {
    const place = await places.open(from.account);
    const opened = await read(reply, (signal) => openCorrection(pool, place.account, from, ids, signal));
    const one = { opened, place, until: Date.now() + kept.forMs };
    for (const [key, { until }] of recent)
      if (until < Date.now() || recent.size >= kept.atMost) recent.delete(key);
    const opens = opened.purchaseOrders.map(({ id }) => id);
    recent.set(keyOf(from.id, opens), one);
    return one;
  };

  /** Adds the columns that the person has added. */
  const withColumns = ({ opened, place }: Opened, { headers, rows }: CorrectionRequest): Opened => {
    const own = opened.columns.map(({ header }) => header);
    const added = headers.slice(own.length).map((header) => fieldNames.find((field) => field === header));
    if (
      own.some((header, at) => header !== headers[at]) ||
      added.some((field) => field === undefined || own.includes(field)) ||
      rows.some(({ cells }) => cells.length !== headers.length)
    )
      throw new ConsoleProblem(
        'conflict',
        'The columns of this file are read in another way now than when you opened it. Open it again.',
      );
    return { opened: addColumns(opened, added as NonNullable<(typeof added)[number]>[]), place };
  };

  const checkRows = (
    reply: FastifyReply,
    { opened, place }: Opened,
    rows: readonly CorrectedRow[],
  ): Promise<CheckedRows> => {
    const path = join(place.account.folder, uploadsFolder, `${randomUUID()}.csv`);
    return read(reply, (signal) =>
      checkCorrection({ pool, account: place.account, path }, opened, rows, signal).finally(() =>
        rm(path, { force: true }),
      ),
    );
  };

  /** Opens POs of an import, with a check of their unchanged rows. @param ids null: all that can be corrected */
  const open = async (
    request: FastifyRequest,
    reply: FastifyReply,
    importId: string,
    ids: readonly string[] | null,
  ): Promise<Opened & CheckedRows> => {
    const one = await openAnew(reply, await find(request, importId), ids);
    return { ...one, ...(await checkRows(reply, one, one.opened.rows)) };
  };

  const check = async (
    request: FastifyRequest,
    reply: FastifyReply,
    importId: string,
    given: CorrectionRequest,
  ): Promise<CheckedRows> => {
    const from = await find(request, importId);
    const known = recent.get(keyOf(importId, given.purchaseOrders));
    const one = known && known.until > Date.now() ? known : await openAnew(reply, from, given.purchaseOrders);
    return checkRows(reply, withColumns(one, given), given.rows);
  };

  const confirm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    importId: string,
    given: CorrectionRequest & { expectedPos: number; note?: string | undefined },
  ) => {
    const from = await find(request, importId);
    const { opened, place } = withColumns(await openAnew(reply, from, given.purchaseOrders), given);
    const { check: seen, poOf } = await checkRows(reply, { opened, place }, given.rows);
    if (seen.kind === 'refused') throw new ConsoleProblem('not_possible', seen.message);
    if (seen.orderable !== given.expectedPos) {
      await assertCorrectable(pool, importId, given.purchaseOrders);
      throw new ConsoleProblem(
        'conflict',
        `${pos(seen.orderable)} can be ordered now instead of ${given.expectedPos.toLocaleString('en-US')}, because something has changed since you looked at it. Look at the rows again.`,
      );
    }
    const orderable = orderableOf(seen);
    const ordered = given.rows.flatMap((row, at): KeptRow[] => {
      const poNumber = poOf[at];
      return poNumber !== undefined && orderable.has(poNumber) && !isBlankRow(row)
        ? [{ ...row, poNumber }]
        : [];
    });
    if (ordered.length === 0)
      throw new ConsoleProblem(
        'not_possible',
        'None of these POs can be ordered yet. Correct the cells that are marked.',
      );
    // Checks without the rows of other POs.
    const alone = await checkRows(reply, { opened, place }, ordered);
    if (alone.check.kind === 'refused') throw new ConsoleProblem('not_possible', alone.check.message);
    if (alone.check.orderable !== orderable.size) {
      await assertCorrectable(pool, importId, given.purchaseOrders);
      throw new ConsoleProblem(
        'not_possible',
        'The POs that are right cannot be ordered without the others, because rows of both belong together. Correct the others, too, or remove their rows.',
      );
    }

    const { account } = place;
    const uploadId = randomUUID();
    const path = join(uploadsFolder, `${uploadId}.csv`);
    const target = join(account.folder, path);
    await placeFile(
      target,
      (temporary) => writeCorrectedRows(temporary, opened, ordered),
      account.access.file,
    );
    const bytes = await readFile(target);
    const fileName = nameOfCorrected(from.fileName);
    const { quoteOnly } = from;
    const confirmed = await confirmCorrection(
      pool,
      {
        upload: {
          ...{ id: uploadId, account: account.name, fileName, path, quoteOnly },
          sha256: createHash('sha256').update(bytes).digest('hex'),
          sizeBytes: bytes.length,
          copyPath: privateCopyPath(newClaimId(quoteOnly ? 'quote' : 'order'), fileName),
        },
        importId,
        settings: opened.settings,
        headerKey: opened.headerKey,
        purchaseOrders: correctedPos(opened, given.rows, ordered),
        changes: listChanges(opened, given.rows, ordered),
        note: given.note,
      },
      actorOf(request),
    ).catch(async (error: unknown) => {
      await rm(target, { force: true });
      throw error;
    });
    if (confirmed.kind === 'conflict') {
      await rm(target, { force: true });
      const { poNumber, by } = confirmed;
      if (!by) await assertCorrectable(pool, importId, given.purchaseOrders);
      throw new ConsoleProblem(
        'conflict',
        `${by ? `${by.who} has corrected PO ${poNumber} meanwhile${by.importId === null ? '' : `, in import ${by.importId}`}` : `PO ${poNumber} has changed meanwhile`}. Nothing of yours was ordered; open the others again.`,
      );
    }
    // From here on it becomes an import in any case: if this fails, `tidyUploads` continues.
    const registered = await claimConfirmed(deps, place, confirmed.upload);
    const verb = quoteOnly ? 'are quoted' : 'are ordered';
    const sentence =
      registered === undefined
        ? 'The correction is confirmed, but its file could not be put in its place yet. It is tried again within a few minutes.'
        : registered.state === 'repeated'
          ? (registered.reasonText ?? 'These rows were imported before. Nothing is ordered again.')
          : `${pos(orderable.size)} ${orderable.size === 1 ? verb.replace('are', 'is') : verb} as soon as import ${registered.importId} is read.`;
    return { sentence, uploadId, importId: registered?.importId ?? null };
  };

  return { open, check, confirm };
};
