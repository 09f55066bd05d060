import { actionAnswer, actionRequest } from '../../api-contract/actions.ts';
import { findChosen, findPresentStates } from '../../ledger/console/targets.ts';
import { type ActionResult, applyOperatorAction } from '../../ledger/po/operator-actions.ts';
import { describePending } from '../../ledger/po/pending-actions.ts';
import { resultSentence, whyNot } from '../action-words.ts';
import { assertAssignee } from '../assignee.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { act } = routesOf('Actions');

/** Adds the actions on selected POs. */
export const addActionRoutes = (app: ConsoleApp, { pool, logger, work, config }: ConsoleDeps): void => {
  const zoneOf = (account: string | undefined): string =>
    config.accounts.find(({ name }) => name === account)?.schedule.timeZone ?? 'UTC';

  app.post(
    '/purchase-orders/actions',
    act('Act on selected purchase orders', actionAnswer, {
      body: actionRequest,
    }),
    async (request) => {
      const { action, items, note, assignee } = request.body;
      const seen = new Map(items.map(({ id, changedAt }) => [id, changedAt]));
      const chosen = await findChosen(pool, [...seen.keys()], accountsOf(request));
      if (chosen.length < seen.size)
        throw new ConsoleProblem(
          'not_found',
          'Some of these purchase orders do not exist, or belong to another account. Nothing was changed.',
        );
      await assertAssignee(
        pool,
        request,
        { action, assignee },
        chosen.map(({ account }) => account),
      );
      const isStale = ({ id, changedAt }: { id: string; changedAt: string }) =>
        (seen.get(id) ?? changedAt) !== changedAt;
      const results: ActionResult[] = [
        ...(await applyOperatorAction(
          pool,
          action,
          chosen.filter((po) => !isStale(po)),
          { ...actorOf(request), note, assignee: assignee ?? null },
        )),
        ...chosen.filter(isStale).map(({ id, poNumber }) => ({
          id,
          poNumber,
          outcome: {
            kind: 'not_possible' as const,
            why: 'it has changed since you saw it, so look at it again',
          },
        })),
      ];
      const undone = results.filter(({ outcome }) => outcome.kind === 'not_possible').map(({ id }) => id);
      const present = new Map((await findPresentStates(pool, undone)).map((one) => [one.id, one]));
      const changed = results.filter(({ outcome }) => outcome.kind === 'done').map(({ id }) => id);
      const states = results.flatMap(({ outcome }) => (outcome.kind === 'done' ? [outcome.state] : []));
      // Before workers are notified, because they may finish a moment later.
      const pending = await describePending(pool, action, changed);
      await work.enqueueChanged(changed).catch((err: unknown) => {
        logger.warn({ err }, 'The queue did not take changed POs; the sweep of the workers gives them jobs');
      });
      const accounts = new Map(chosen.map(({ id, account }) => [id, account]));
      const shown = results.map(({ id, poNumber, outcome }) =>
        outcome.kind === 'done'
          ? { id, poNumber, done: true, state: outcome.state, why: null }
          : {
              id,
              poNumber,
              done: false,
              state: null,
              why: whyNot(outcome.why, present.get(id), seen.get(id), zoneOf(accounts.get(id))),
            },
      );
      if (changed.length === 0) {
        const [first] = shown;
        throw new ConsoleProblem(
          'conflict',
          shown.length === 1
            ? `${first!.poNumber}: ${first!.why}`
            : `None of the ${shown.length} POs could be changed. ${first!.poNumber}: ${first!.why}`,
          { more: { results: shown } },
        );
      }
      return {
        sentence: `${resultSentence(action, states, undone.length)} ${pending}`.trimEnd(),
        done: changed.length,
        notDone: undone.length,
        results: shown,
      };
    },
  );
};
