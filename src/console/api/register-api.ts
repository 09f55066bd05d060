import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from '../../ledger/console/change-feed.ts';
import type { FirstLink } from '../access/first-link.ts';
import type { Guard } from '../access/guard.ts';
import type { SignIn } from '../access/sign-in.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { describeRoute, documentHead } from '../openapi.ts';
import { addAccessRoutes } from './access.ts';
import { addAccountActionRoutes } from './account-actions.ts';
import { addAccountRoutes } from './accounts.ts';
import { addActionRoutes } from './actions.ts';
import { addActivityRoutes } from './activity.ts';
import { addBulkRoutes } from './bulk.ts';
import { addChangeRoutes } from './changes.ts';
import { addCorrectionRoutes } from './corrections.ts';
import { addEventRoutes } from './events.ts';
import { addImportDownloads } from './import-downloads.ts';
import { addImportRoutes } from './imports.ts';
import { addLayoutRoutes } from './layouts.ts';
import { addOpenIdRoutes } from './open-id.ts';
import { addOrderRoutes } from './orders.ts';
import { addPurchaseOrderRoutes } from './purchase-orders.ts';
import { addQuestionRoutes } from './questions.ts';
import { addReportRoutes } from './reports.ts';
import { addScheduleRoutes } from './schedules.ts';
import { addSearchRoutes } from './search.ts';
import { addSettingsRoutes } from './settings.ts';
import { addSettlingRoutes } from './settling.ts';
import { addStatisticsRoutes } from './statistics.ts';
import { addTemplateRoute } from './template.ts';
import { addTodayRoutes } from './today.ts';
import { addTokenRoutes } from './tokens.ts';
import { addUploadRoutes } from './uploads.ts';
import { addUserRoutes } from './users.ts';
import { addViewRoutes } from './views.ts';

interface ApiAccess {
  guard: Guard;
  feed: ChangeFeed;
  signIn: SignIn;
  firstLink: FirstLink;
}

/** The routes of every topic, in the order of the OpenAPI document. */
const addRoutes = (app: ConsoleApp, deps: ConsoleDeps, access: ApiAccess): void => {
  addAccessRoutes(app, deps, access);
  addOpenIdRoutes(app, deps, access);
  addUserRoutes(app, deps);
  addTokenRoutes(app, deps);
  addActionRoutes(app, deps);
  addBulkRoutes(app, deps);
  addSettlingRoutes(app, deps);
  addAccountActionRoutes(app, deps);
  addReportRoutes(app, deps);
  addActivityRoutes(app, deps);
  addSettingsRoutes(app, deps);
  addEventRoutes(app, access);
  addChangeRoutes(app, deps);
  addTodayRoutes(app, deps);
  addScheduleRoutes(app, deps);
  addImportRoutes(app, deps);
  addImportDownloads(app, deps);
  addPurchaseOrderRoutes(app, deps);
  addOrderRoutes(app, deps);
  addStatisticsRoutes(app, deps);
  addSearchRoutes(app, deps);
  addViewRoutes(app, deps);
  addAccountRoutes(app, deps);
  addTemplateRoute(app, deps);
  addUploadRoutes(app, deps);
  addCorrectionRoutes(app, deps);
  addLayoutRoutes(app, deps);
  addQuestionRoutes(app, deps);
};

/** Adds the API below /api/v1, with its OpenAPI document (`app.swagger()`). */
export const registerApi = async (app: ConsoleApp, deps: ConsoleDeps, access: ApiAccess): Promise<void> => {
  await app.register(swagger, { openapi: documentHead(deps.version), transform: describeRoute });
  const addAll = async (api: FastifyInstance): Promise<void> => {
    // A body may be optional. If it is required, the answer names the missing fields.
    api.addHook('preValidation', async (request) => {
      if (request.routeOptions.schema?.body) request.body ??= {};
    });
    addRoutes(api as unknown as ConsoleApp, deps, access);
  };
  await app.register(addAll, { prefix: '/api/v1' });
};
