import { randomUUID } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { idParams } from '../../api-contract/basics.ts';
import { confirmAnswer, confirmRequest, uploadAnswer, uploadById } from '../../api-contract/uploads.ts';
import { newClaimId, privateCopyPath } from '../../intake/inbox/claim-id.ts';
import { isMissing } from '../../intake/inbox/move-file.ts';
import { purchaseFileEnding } from '../../intake/purchase-file-ending.ts';
import { confirmUpload } from '../../ledger/console/confirm-uploads.ts';
import { findRereadable } from '../../ledger/console/reread-imports.ts';
import { addUpload } from '../../ledger/console/uploads.ts';
import type { NewLayout } from '../../ledger/layouts.ts';
import { pos } from '../action-words.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf, actorOf, personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { claimConfirmed } from '../uploads/claim-upload.ts';
import type { UploadDesk } from '../uploads/upload-desk.ts';
import { uploadsFolder } from '../uploads/upload-places.ts';
import { routesOf } from './routes-of.ts';

const { act, route } = routesOf('Uploads');

/** Adds confirming an upload as an import, and turning an import into an upload again. */
export const addUploadDecisions = (app: ConsoleApp, deps: ConsoleDeps, desk: UploadDesk): void => {
  const { pool, work } = deps;
  const { places, present, find, findDraft, decided, assertHere, answer, preview } = desk;

  app.post(
    '/uploads/:id/confirm',
    act('Order what is in the file, or ask for its prices', confirmAnswer, {
      description: 'The file becomes an import, as one from the folder does.',
      params: uploadById,
      body: confirmRequest,
    }),
    async (request, reply) => {
      const { as, expectedPos, note, layoutName, values = [] } = request.body;
      const draft = await findDraft(request, request.params.id);
      const place = await places.open(draft.account);
      await assertHere(place, draft);
      const { answer: now, seen } = await preview(draft, place, reply, values);
      // For a re-read, the same file would just be refused again.
      if (now.kind === 'refused' && (expectedPos !== undefined || draft.rereadOf !== null))
        throw new ConsoleProblem('not_possible', now.message);
      if (now.kind === 'read' && now.counts.ready !== (expectedPos ?? now.counts.ready)) {
        throw new ConsoleProblem(
          'conflict',
          `The file now has ${pos(now.counts.ready)} to order instead of ${expectedPos!.toLocaleString('en-US')}, because something has changed since you looked at it. Look at the preview again.`,
        );
      }
      const copyPath = privateCopyPath(newClaimId(as), draft.fileName);
      const actor = actorOf(request);
      const agrees = now.kind === 'read' && values.length + now.unread.length + now.besides.length > 0;
      const agreed = await desk.layoutOf(draft, place, reply, agrees);
      const layout: NewLayout | undefined = agreed && {
        ...agreed,
        ...actor,
        account: draft.account,
        kind: 'order',
        name: layoutName ?? agreed.name,
      };
      const quoteOnly = as === 'quote';
      const confirmed = await confirmUpload(
        pool,
        draft.id,
        { copyPath, quoteOnly, note, layout, seen, values },
        actor,
      );
      if (confirmed.kind === 'decided') throw decided(confirmed.upload);
      if (confirmed.kind === 'not_possible') throw new ConsoleProblem('not_possible', confirmed.why);
      await work.enqueueImports(confirmed.imports);
      const { importId: waited } = confirmed.upload;
      if (waited !== null) {
        await rm(desk.pathOf(place, draft), { force: true });
        const others = confirmed.alike;
        const alike =
          others > 0
            ? ` ${others === 1 ? 'One more file that waited with this header is' : `${others} more files that waited with this header are`} looked at again, too; what only ${others === 1 ? 'it says' : 'they say'} is asked.`
            : '';
        const sentence = `The file is read now, as import ${waited}.${alike} From now on files with this header are read in the same way.`;
        return { sentence, upload: await present(await find(request, draft.id)) };
      }
      // From here on it becomes an import in any case: if this fails, `tidyUploads` continues.
      const registered = await claimConfirmed(deps, place, confirmed.upload);
      const verb = as === 'quote' ? 'quoted' : 'ordered';
      const ready = now.kind === 'read' ? now.counts.ready : 0;
      const placed =
        now.kind === 'refused'
          ? `Nothing of it is ${verb} as it is: ${now.message}`
          : ready === 0
            ? `None of its POs is ${verb}; the import says why.`
            : `${pos(ready)} of it ${ready === 1 ? 'is' : 'are'} ${verb} as soon as it is read.`;
      const sentence =
        registered === undefined
          ? 'The upload is confirmed, but the file could not be put in its place yet. It is tried again within a few minutes; see the log if it stays so.'
          : registered.state === 'repeated'
            ? (registered.reasonText ?? 'This file was imported before. Nothing is ordered again.')
            : `The file is import ${registered.importId}. ${placed}`;
      return { sentence, upload: await present(await find(request, draft.id)) };
    },
  );

  app.post(
    '/imports/:id/reread',
    route('act', 'Read the file of an import again with another mapping, as long as nothing is sent', {
      description:
        'Answers an upload of the same file. When it is confirmed, the POs of the import that were not sent are withdrawn.',
      params: idParams,
      response: { 201: uploadAnswer },
    }),
    async (request, reply) => {
      const rereadOf = request.params.id;
      const found = await findRereadable(pool, rereadOf, accountsOf(request));
      if (found.kind === 'unknown') throw new ConsoleProblem('not_found', 'There is no such import.');
      if (found.kind === 'no') throw new ConsoleProblem('not_possible', found.why);
      const { account, fileName, filePath, quoteOnly, sha256, sizeBytes } = found;
      const place = await places.open(account);
      const id = randomUUID();
      const path = join(uploadsFolder, `${id}${purchaseFileEnding(fileName) ?? ''}`);
      const target = join(place.account.folder, path);
      try {
        await copyFile(join(place.account.folder, filePath), target);
        const who = personOf(request).name;
        const upload = { id, account, fileName, sha256, sizeBytes, path, who, rereadOf, quoteOnly };
        const added = await addUpload(pool, upload);
        return reply.code(201).send(await answer(added, place, reply));
      } catch (error) {
        await rm(target, { force: true });
        throw isMissing(error)
          ? new ConsoleProblem(
              'not_possible',
              'The copy of this file is no longer there, so it cannot be read again. Upload the file instead.',
            )
          : error;
      }
    },
  );
};
