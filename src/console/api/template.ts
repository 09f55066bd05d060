import { z } from 'zod';
import { accountParams } from '../../api-contract/basics.ts';
import { makeTemplate, templateFormats } from '../../template/make-template.ts';
import { attachment } from '../attachment.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { route } = routesOf('Accounts');

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const;

/** Adds the download of an account's template for purchase files. */
export const addTemplateRoute = (app: ConsoleApp, deps: ConsoleDeps): void => {
  app.get(
    '/accounts/:account/template',
    route('view', 'Download the template for purchase files of an account', {
      params: accountParams,
      querystring: z.object({ format: z.enum(templateFormats).default('xlsx') }),
    }),
    async (request, reply) => {
      const { account: name } = request.params;
      const { format } = request.query;
      await chosenAccounts(deps, request, name);
      const account = deps.config.accounts.find((one) => one.name === name);
      if (!account)
        throw new ConsoleProblem(
          'not_possible',
          `${name} is in no configuration any more, so its fields are not known. Add it to cartwright.yaml again.`,
        );
      const template = await makeTemplate(account, format);
      if (template.kind === 'not_possible') throw new ConsoleProblem('not_possible', template.why);
      attachment(reply, template.fileName, types[format]);
      return reply.send(template.bytes);
    },
  );
};
