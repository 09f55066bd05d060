import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UploadAnswer, UploadDraft } from '../../api-contract/uploads.ts';
import { messageOf, UserError } from '../../errors.ts';
import { checkMapping, type FileMapping } from '../../intake/file-mapping.ts';
import { mappedReading } from '../../intake/file-reading.ts';
import { isMissing } from '../../intake/inbox/move-file.ts';
import { layoutOfMapping } from '../../intake/layout-of-mapping.ts';
import type { DecidedValue } from '../../intake/layouts/known-values.ts';
import { nameOfLayout } from '../../intake/layouts/layout-name.ts';
import { findSameBytes, findUpload, type Upload } from '../../ledger/console/uploads.ts';
import { listLayouts } from '../../ledger/layouts.ts';
import type { ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { inEditor } from './advice.ts';
import { describeFile } from './describe-file.ts';
import { fieldChoices } from './field-choices.ts';
import { previewFile } from './preview-file.ts';
import { createReadingSlots, type ReadingSlots } from './reading-slots.ts';
import { createUploadPlaces, type UploadPlace } from './upload-places.ts';

/** Converts errors about files or settings into problems; returns others unchanged. */
const explained = (error: unknown): unknown => {
  if (error instanceof UserError) return new ConsoleProblem('not_possible', inEditor(messageOf(error)));
  if (isMissing(error))
    return new ConsoleProblem(
      'conflict',
      'The uploaded file is no longer on this machine: it was discarded or confirmed meanwhile, or uploaded to another console. Upload it again.',
    );
  return error;
};

/** Reading slots that convert errors about the file into problems for the person. */
export const createReading = (): ReadingSlots => {
  const inSlot = createReadingSlots();
  return (reply, work) =>
    inSlot(reply, work).catch((error: unknown) => {
      throw explained(error);
    });
};

/** @throws ConsoleProblem `invalid` */
export const readMapping = (given: unknown): FileMapping => {
  const checked = checkMapping(given ?? {});
  if (checked.kind === 'mapping') return checked.mapping;
  const errors = checked.mistakes.map(({ field, detail }) => ({
    field: field === '' ? 'mapping' : `mapping.${field}`,
    detail,
  }));
  throw new ConsoleProblem('invalid', errors.map(({ field, detail }) => `${field} ${detail}`).join('; '), {
    errors,
  });
};

/** The operations on uploads for the routes. */
export const createUploadDesk = ({ pool, config, logger }: ConsoleDeps) => {
  const places = createUploadPlaces({ pool, config, logger });
  const inSlot = createReadingSlots();

  const present = async (upload: Upload): Promise<UploadDraft> => {
    const known = upload.quoteOnly ? undefined : await findSameBytes(pool, upload);
    return {
      ...upload,
      uploadedBy: upload.who,
      uploadedAt: upload.uploadedAt.toISOString(),
      mapping: upload.mapping as UploadDraft['mapping'],
      knownAs: known ? { ...known, takenAt: known.takenAt.toISOString() } : null,
    };
  };

  /** @throws ConsoleProblem `not_found` also for an upload of another account */
  const find = async (request: FastifyRequest, id: string): Promise<Upload> => {
    const upload = await findUpload(pool, id, accountsOf(request));
    if (!upload) throw new ConsoleProblem('not_found', 'There is no such upload.');
    return upload;
  };

  /** The problem if an upload was already decided, with the person. */
  const decided = ({ state, confirmedBy, importId }: Upload): ConsoleProblem =>
    new ConsoleProblem(
      'conflict',
      state === 'discarded'
        ? 'This upload was discarded, by a person or because nobody confirmed it within a day. Upload the file again.'
        : `${confirmedBy} has already confirmed this upload${importId === null ? '; it is about to be read' : `: it is import ${importId}`}.`,
    );

  /** @throws ConsoleProblem `not_found`; `conflict` if it was confirmed or discarded */
  const findDraft = async (request: FastifyRequest, id: string): Promise<Upload> => {
    const upload = await find(request, id);
    if (upload.state !== 'draft') throw decided(upload);
    return upload;
  };

  /** Runs work that reads an upload's file. If another person decided meanwhile, the file is gone. */
  const reading = async <Result>(upload: Upload, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const now = isMissing(error) ? await findUpload(pool, upload.id, null) : undefined;
      throw now && now.state !== 'draft' ? decided(now) : explained(error);
    }
  };
  const read = <Result>(
    upload: Upload,
    reply: FastifyReply,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => reading(upload, () => inSlot(reply, work));

  const pathOf = ({ account }: UploadPlace, { path }: Upload): string => join(account.folder, path);

  const answer = async (upload: Upload, place: UploadPlace, reply: FastifyReply): Promise<UploadAnswer> => {
    const { fileName } = upload;
    const file = { path: pathOf(place, upload), fileName };
    const mapping = readMapping(upload.mapping);
    const layouts = await listLayouts(pool, upload.account);
    const described = await read(upload, reply, (signal) =>
      describeFile(place.account, file, mapping, layouts, signal),
    );
    return { upload: await present(upload), ...described, fields: fieldChoices };
  };

  /** The file is gone, so the answer has only the decision. */
  const answerDecided = async (upload: Upload): Promise<UploadAnswer> => {
    const refused = { kind: 'refused', code: 'decided', message: decided(upload).message } as const;
    return {
      upload: await present(upload),
      reading: refused,
      proposal: refused,
      file: null,
      fields: fieldChoices,
    };
  };

  /** @param values the person's answers about ignored columns */
  const preview = async (
    upload: Upload,
    place: UploadPlace,
    reply: FastifyReply,
    values: readonly DecidedValue[],
  ) => {
    const { fileName, sha256, rereadOf: replaces } = upload;
    const file = { path: pathOf(place, upload), fileName, sha256, replaces };
    const how = mappedReading(place.account.intake, readMapping(upload.mapping));
    const layouts = await listLayouts(pool, upload.account);
    return read(upload, reply, (signal) =>
      previewFile(pool, place.account, file, how, layouts, values, signal),
    );
  };

  /**
   * The person's decisions as a layout for all files with this header; undefined if there are none.
   * @param agrees the person has agreed to the content besides the lines, which makes a layout even without a mapping
   * @throws ConsoleProblem `not_possible` if the file cannot be read that way
   */
  const layoutOf = async (upload: Upload, place: UploadPlace, reply: FastifyReply, agrees: boolean) => {
    const mapping = readMapping(upload.mapping);
    const isMapped = Object.keys(mapping).length > 0;
    if (!isMapped && !agrees) return undefined;
    const { account, fileName } = upload;
    const file = { path: pathOf(place, upload), fileName };
    const layouts = await listLayouts(pool, account);
    const made = await read(upload, reply, (signal) =>
      layoutOfMapping(place.account, { ...file, signal }, mapping, isMapped ? [] : layouts),
    );
    if (made.kind === 'refused') throw new ConsoleProblem('not_possible', inEditor(made.message));
    const { headerKey, header, settings } = made.layout;
    return { headerKey, header, settings, name: nameOfLayout(layouts, { headerKey, fileName }) };
  };

  /** @throws ConsoleProblem `conflict` if the file is not here */
  const assertHere = async (place: UploadPlace, upload: Upload): Promise<void> => {
    await reading(upload, () => stat(pathOf(place, upload)));
  };

  return {
    ...{ places, present, find, findDraft, decided, pathOf, assertHere, answer, answerDecided, preview },
    layoutOf,
  };
};
export type UploadDesk = ReturnType<typeof createUploadDesk>;
