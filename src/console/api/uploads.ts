import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import { previewAnswer, previewRequest } from '../../api-contract/previews.ts';
import {
  mappingRequest,
  uploadAnswer,
  uploadById,
  uploadDraft,
  uploadQuery,
  uploadsAnswer,
} from '../../api-contract/uploads.ts';
import { purchaseFileEnding } from '../../intake/purchase-file-ending.ts';
import { addUpload, discardUpload, listDrafts, setMapping } from '../../ledger/console/uploads.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf, actorOf, maySee, personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { receiveFile, refuseAnnounced, safeFileName } from '../uploads/receive-file.ts';
import { createUploadDesk, readMapping } from '../uploads/upload-desk.ts';
import { uploadsFolder } from '../uploads/upload-places.ts';
import { routesOf } from './routes-of.ts';
import { addUploadDecisions } from './upload-decisions.ts';

const { act, route, view } = routesOf('Uploads');
const mostDrafts = 200;

/** Adds uploads: a file is received, shown, mapped, previewed, and confirmed or discarded. */
export const addUploadRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, settings } = deps;
  const maxBytes = settings.uploads.maxMb * 1_048_576;
  const desk = createUploadDesk(deps);
  const { places, present, find, findDraft, decided, pathOf, answer, answerDecided, preview } = desk;

  void app.register(async (scope: ConsoleApp) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: maxBytes, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    scope.post(
      '/uploads',
      route('act', 'Upload a purchase file, to be looked at before anything is ordered', {
        description:
          'multipart/form-data with one part `file`. Nothing is picked up until the upload is confirmed; after a day it is discarded.',
        consumes: ['multipart/form-data'],
        querystring: uploadQuery,
        response: { 201: uploadAnswer },
      }),
      async (request, reply) => {
        const { account: name } = request.query;
        if (!maySee(request, name))
          throw new ConsoleProblem('not_found', 'There is no such account for which you may act.');
        refuseAnnounced(request.headers['content-length'], maxBytes);
        const place = await places.open(name);
        const id = randomUUID();
        let path = '';
        let fileName = '';
        const received = await receiveFile(request.files(), {
          path: (given) => {
            fileName = safeFileName(given);
            path = join(uploadsFolder, `${id}${purchaseFileEnding(fileName)}`);
            return join(place.account.folder, path);
          },
          maxBytes,
          mode: place.account.access.file,
        });
        const { sizeBytes, sha256 } = received;
        const who = personOf(request).name;
        const upload = { id, account: name, fileName, sha256, sizeBytes, path, who, rereadOf: null };
        const added = await addUpload(pool, upload).catch(async (error: unknown) => {
          await rm(join(place.account.folder, path), { force: true });
          throw error;
        });
        return reply.code(201).send(await answer(added, place, reply));
      },
    );
  });

  app.get(
    '/uploads',
    view('Uploads that nobody has confirmed or discarded yet', uploadsAnswer),
    async (request) => {
      const drafts = await listDrafts(pool, accountsOf(request), mostDrafts);
      return { items: await Promise.all(drafts.map(present)) };
    },
  );

  app.get(
    '/uploads/:id',
    view('How an uploaded file is read, with the data of the mapping editor', uploadAnswer, {
      params: uploadById,
    }),
    async (request, reply) => {
      const upload = await find(request, request.params.id);
      if (upload.state !== 'draft') return answerDecided(upload);
      return answer(upload, await places.open(upload.account), reply);
    },
  );

  app.put(
    '/uploads/:id/mapping',
    act('Decide how this file is read; null: as the account has it', uploadAnswer, {
      description: 'Only this file is read so; the settings of the account stay as they are.',
      params: uploadById,
      body: mappingRequest,
    }),
    async (request, reply) => {
      const { account } = await findDraft(request, request.params.id);
      const mapping = readMapping(request.body.mapping);
      const place = await places.open(account);
      const isEmpty = Object.keys(mapping).length === 0;
      const upload = await setMapping(pool, request.params.id, isEmpty ? null : mapping);
      if (!upload) throw decided(await find(request, request.params.id));
      return answer(upload, place, reply);
    },
  );

  app.post(
    '/uploads/:id/preview',
    act(
      'What would be ordered',
      previewAnswer,
      {
        description: 'Reads the whole file. Nothing is kept and nothing is sent.',
        params: uploadById,
        body: previewRequest,
      },
      { onlyReads: true },
    ),
    async (request, reply) => {
      const upload = await findDraft(request, request.params.id);
      const place = await places.open(upload.account);
      return (await preview(upload, place, reply, request.body?.values ?? [])).answer;
    },
  );

  app.delete(
    '/uploads/:id',
    act('Discard an upload', uploadDraft, { params: uploadById }),
    async (request) => {
      const { account } = await findDraft(request, request.params.id);
      const place = await places.open(account);
      const upload = await discardUpload(pool, request.params.id, actorOf(request));
      if (!upload) throw decided(await find(request, request.params.id));
      await rm(pathOf(place, upload), { force: true });
      return present(upload);
    },
  );

  addUploadDecisions(app, deps, desk);
};
