import { z } from 'zod';
import {
  accountActionAnswer,
  pauseRequest,
  resumeWebhookRequest,
  runScheduleRequest,
} from '../../api-contract/accounts.ts';
import { accountParams as params } from '../../api-contract/basics.ts';
import { recordAccountAction } from '../../ledger/console/activity.ts';
import { pauseByOperator, resumeByOperator } from '../../ledger/console/operator-pauses.ts';
import { feedPositionAt } from '../../ledger/feed.ts';
import { resumeReceiver } from '../../ledger/sync-receivers.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { pausedSentence, resumedSentence, whyNotPaused, whyNotResumed } from '../pause-words.ts';
import { actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { assertCanRun, enqueue } from '../run-now.ts';
import { routesOf } from './routes-of.ts';

const started = {
  poll: (account: string) => `The order statuses of ${account} are fetched now.`,
  report: (account: string) => `The status report of ${account} is written now.`,
  take_files: (account: string) => `The files in the inbox of ${account} are picked up now.`,
};

/** Adds the actions on an account: pause, resume, and running its schedules now. */
export const addAccountActionRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, logger, work } = deps;
  const { act } = routesOf('Accounts');

  app.post(
    '/accounts/:account/pause',
    act('Pause an account until a person resumes it', accountActionAnswer, { params, body: pauseRequest }),
    async (request) => {
      const { account } = request.params;
      await chosenAccounts(deps, request, account);
      const result = await pauseByOperator(pool, account, { ...actorOf(request), note: request.body.note });
      if (result.kind === 'not_possible') throw new ConsoleProblem('conflict', whyNotPaused(account, result));
      return { sentence: pausedSentence(account) };
    },
  );

  app.post(
    '/accounts/:account/resume',
    act('End the pause of an account', accountActionAnswer, { params, body: pauseRequest }),
    async (request) => {
      const { account } = request.params;
      await chosenAccounts(deps, request, account);
      const result = await resumeByOperator(pool, account, { ...actorOf(request), note: request.body.note });
      if (result.kind === 'not_possible')
        throw new ConsoleProblem('conflict', whyNotResumed(account, result));
      const wake = async () => {
        await work.fillAccounts([account]);
        // A status check that came during the pause was skipped.
        await work.runNow('poll', account);
      };
      await wake().catch((err: unknown) => {
        logger.warn({ err, account }, 'could not wake a resumed account; the sweep of the workers does');
      });
      return { sentence: resumedSentence(account) };
    },
  );

  app.post(
    '/accounts/:account/webhooks/:name/resume',
    act('Send changes to a webhook again', accountActionAnswer, {
      params: params.extend({ name: z.string().max(40) }),
      body: resumeWebhookRequest,
    }),
    async (request) => {
      const { account, name } = request.params;
      const { since, note } = request.body;
      await chosenAccounts(deps, request, account);
      if (since !== undefined && Date.parse(since) > Date.now())
        throw new ConsoleProblem('invalid', '`since` is in the future: what waits would never be sent.');
      const position =
        since === undefined ? undefined : (await feedPositionAt(pool, new Date(since))).position;
      if (!(await resumeReceiver(pool, { account, name }, position)))
        throw new ConsoleProblem(
          'not_found',
          `${account} has no webhook ${name.slice(0, 40)} that was sent anything.`,
        );
      await recordAccountAction(pool, 'resume_webhook', actorOf(request), { account, note });
      return { sentence: `The webhook ${name} of ${account} is sent changes again.` };
    },
  );

  app.post(
    '/accounts/:account/run',
    act(
      'Run a schedule of an account now: fetch statuses, write the report or pick up files',
      accountActionAnswer,
      {
        params,
        body: runScheduleRequest,
      },
    ),
    async (request) => {
      const { account } = request.params;
      await chosenAccounts(deps, request, account);
      const { kind, note } = request.body;
      await assertCanRun(pool, kind, account);
      await enqueue(() => work.runNow(kind, account));
      await recordAccountAction(pool, `run_${kind}`, actorOf(request), { account, note });
      return { sentence: started[kind](account) };
    },
  );
};
