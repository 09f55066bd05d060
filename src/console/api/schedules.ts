import { accountQuery } from '../../api-contract/basics.ts';
import { schedulesAnswer } from '../../api-contract/schedules.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Today');

/** Adds the list of schedules. */
export const addScheduleRoutes = (app: ConsoleApp, { config, work }: ConsoleDeps): void => {
  app.get(
    '/schedules',
    view(
      'What happens by the clock: when it ran last, with what result, and when it runs next',
      schedulesAnswer,
      { querystring: accountQuery },
    ),
    async (request) => {
      const { account } = request.query;
      const allowed = accountsOf(request);
      const visible = config.accounts
        .map(({ name }) => name)
        .filter((name) => allowed?.includes(name) ?? true);
      if (account === undefined) return work.listAllSchedules(visible, { shared: allowed === null });
      if (!visible.includes(account))
        throw new ConsoleProblem('not_found', 'No account was found under this name.');
      return work.listAllSchedules([account], { shared: false });
    },
  );
};
