import type { FileAction } from '../../api-contract/actions.ts';
import { fileActionAnswer, fileActionRequest, peopleAnswer } from '../../api-contract/actions.ts';
import { accountQuery } from '../../api-contract/basics.ts';
import { actOnFiles } from '../../ledger/settle-imports.ts';
import { countOf } from '../action-words.ts';
import { assertAssignee, listAssignees } from '../assignee.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { findImport } from '../find-import.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { act } = routesOf('Actions');

const sentences: Record<FileAction, (files: string, assignee: string | null) => string> = {
  settle: (files) => `Marked ${files} as not needed.`,
  unsettle: (files) => `Marked ${files} as needed again.`,
  assign: (files, assignee) =>
    assignee === null
      ? `Nobody in particular takes care of ${files} now.`
      : `Assigned ${files} to ${assignee}.`,
};

const whyNot: Record<FileAction, string> = {
  settle:
    'Not done: every row of the file belongs to a PO, or a person has said already that the others are not needed.',
  unsettle: 'Not done: nobody has said that the file is not needed.',
  assign: 'Not done: every row of the file belongs to a PO, or the others are not needed any more.',
};

/** Adds settling and assigning refused files and rows that belong to no PO, and the list of possible assignees. */
export const addSettlingRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool } = deps;
  app.post(
    '/imports/actions',
    act(
      'Say that refused files, or rows that belong to no PO, are not needed, take that back, or say who takes care of them',
      fileActionAnswer,
      { body: fileActionRequest },
    ),
    async (request) => {
      const { action, note, assignee } = request.body;
      const ids = [...new Set(request.body.ids)];
      // Files of accounts that the person may not see are answered with 404.
      const files = await Promise.all(ids.map((id) => findImport(pool, request, id)));
      const accounts = files.map(({ account }) => account);
      await assertAssignee(pool, request, { action, assignee }, accounts);
      const by = { ...actorOf(request), note, assignee: assignee ?? null };
      const done = await actOnFiles(pool, action, ids, accountsOf(request), by);
      if (done.length === 0) throw new ConsoleProblem('conflict', whyNot[action]);
      const notDone = ids.length - done.length;
      const rest = notDone > 0 ? ` ${countOf(notDone, 'file')} could not be changed.` : '';
      const sentence = `${sentences[action](countOf(done.length, 'file'), assignee ?? null)}${rest}`;
      return { sentence, done: done.length, notDone };
    },
  );

  app.get(
    '/people',
    act('Who can take care of something', peopleAnswer, {
      querystring: accountQuery,
    }),
    async (request) => {
      const { account } = request.query;
      if (account !== undefined) await chosenAccounts(deps, request, account);
      return { people: await listAssignees(pool, request, account) };
    },
  );
};
