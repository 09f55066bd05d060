import { settings } from '../../api-contract/settings.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { routesOf } from './routes-of.ts';

const { admin } = routesOf('Settings');

/** Adds the effective configuration, for admins. */
export const addSettingsRoutes = (
  app: ConsoleApp,
  { version, config, describeSettings }: ConsoleDeps,
): void => {
  app.get('/settings', admin('The effective configuration, without secrets', settings), async () => ({
    version,
    file: config.file ?? null,
    dataFolder: config.dataFolder,
    items: describeSettings(),
  }));
};
