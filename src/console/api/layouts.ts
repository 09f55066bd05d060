import { idParams } from '../../api-contract/basics.ts';
import {
  layoutActionAnswer,
  layoutApplied,
  layoutRequest,
  layoutsAnswer,
  layoutsQuery,
  noOrderRequest,
} from '../../api-contract/layouts.ts';
import { layoutEntryOf } from '../../intake/layouts/entry-of-layout.ts';
import { checkLayoutEntry } from '../../intake/layouts/layout-entry.ts';
import { agreedBy, whyKept } from '../../intake/layouts/layout-words.ts';
import { type AppliedLayout, applyLayouts } from '../../ledger/apply-layouts.ts';
import { listLayoutsOf, refuseAsNoOrder, removeLayout } from '../../ledger/layouts.ts';
import { findWaiting } from '../../ledger/waiting-imports.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { findImport } from '../find-import.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { act, view } = routesOf('Layouts');

const sayApplied = ({ account, name, change, differs, version, waiting }: AppliedLayout): string => {
  if (change === 'same') return `The layout "${name}" of ${account} says this already. Nothing was changed.`;
  const how = change === 'changed' ? `, which differs in: ${differs.join(', ')}` : '';
  const files =
    waiting === 0
      ? ''
      : ` ${waiting === 1 ? 'One file' : `${waiting} files`} that waited ${waiting === 1 ? 'is' : 'are'} read again now.`;
  return `The layout "${name}" of ${account} is recorded as version ${version}${how}.${files}`;
};

/** Adds the agreed layouts, and decisions about waiting files. */
export const addLayoutRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, work } = deps;

  app.get(
    '/layouts',
    view('How the files of accounts are read, as somebody agreed', layoutsAnswer, {
      querystring: layoutsQuery,
    }),
    async (request) => {
      const accounts = await chosenAccounts(deps, request, request.query.account);
      const layouts = await listLayoutsOf(pool, accounts, { all: request.query.versions === 'all' });
      return {
        items: layouts.map(({ confirmedAt, endedAt, ...one }) => ({
          ...one,
          ...layoutEntryOf(one),
          settings: one.settings as never,
          agreed: agreedBy({ ...one, confirmedAt }),
          confirmedAt: confirmedAt.toISOString(),
          endedAt: endedAt?.toISOString() ?? null,
        })),
      };
    },
  );

  app.put(
    '/layouts',
    act('Say how files with a header are read from now on', layoutApplied, {
      description:
        'A new version where it differs from the layout of this header, and nothing where it is the same. Files that wait for it are read. `cartwright layouts apply` does the same with a file.',
      body: layoutRequest,
    }),
    async (request) => {
      await chosenAccounts(deps, request, request.body.account);
      const checked = checkLayoutEntry(request.body, (account) =>
        deps.config.accounts.find(({ name }) => name === account),
      );
      if (checked.kind === 'wrong') {
        const errors = checked.wrong.map(({ path, detail }) => ({ field: path.join('.'), detail }));
        const sentence = errors.map(({ field, detail }) => `${field} ${detail}.`).join(' ');
        throw new ConsoleProblem('invalid', sentence, { errors });
      }
      const { applied, imports } = await applyLayouts(pool, [checked.layout], actorOf(request));
      await work.enqueueImports(imports);
      const [one] = applied;
      return { sentence: sayApplied(one!), change: one!.change, id: one!.id!, version: one!.version! };
    },
  );

  app.delete(
    '/layouts/:id',
    act('Remove a layout: files with its header wait again', layoutActionAnswer, {
      description: 'What was read by it stays as it is.',
      params: idParams,
    }),
    async (request) => {
      const [found] = await listLayoutsOf(pool, await chosenAccounts(deps, request, undefined), {
        id: request.params.id,
      });
      const why = found && whyKept(found);
      if (why !== undefined) throw new ConsoleProblem('not_possible', why);
      const removed = found && (await removeLayout(pool, found.id, actorOf(request), accountsOf(request)));
      if (!removed)
        throw new ConsoleProblem('not_found', 'There is no such layout, or it was replaced or removed.');
      return {
        sentence: `The layout "${removed.name}" of ${removed.account} is removed. The next file with its header waits until somebody says what it means.`,
      };
    },
  );

  app.post(
    '/imports/:id/no-order',
    act('Say that a file that waits is no order: it is refused', layoutActionAnswer, {
      params: idParams,
      body: noOrderRequest,
    }),
    async (request) => {
      const importId = request.params.id;
      const { allAlike, note } = request.body;
      await findImport(pool, request, importId);
      const waiting = await findWaiting(pool, importId, accountsOf(request));
      const refused =
        waiting && (await refuseAsNoOrder(pool, importId, { ...actorOf(request), allAlike, note }));
      if (!waiting || !refused)
        throw new ConsoleProblem(
          'conflict',
          'This file does not wait any more: somebody has decided about it.',
        );
      await work.enqueueImports(refused);
      const more = allAlike && waiting.header ? ' So are all files with this header from now on.' : '';
      return { sentence: `${waiting.fileName} is refused as no order.${more}` };
    },
  );
};
