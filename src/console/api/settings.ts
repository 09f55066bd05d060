import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { settings } from './schemas/settings.ts';

/** Adds the effective configuration, for admins. */
export const addSettingsRoutes = (
  app: ConsoleApp,
  { version, config, describeSettings }: ConsoleDeps,
): void => {
  app.get(
    '/settings',
    {
      config: { needs: 'admin' },
      schema: {
        summary: 'The effective configuration, without secrets',
        tags: ['Settings'],
        response: { 200: settings },
      },
    },
    async () => ({
      version,
      file: config.file ?? null,
      dataFolder: config.dataFolder,
      items: describeSettings(),
    }),
  );
};
