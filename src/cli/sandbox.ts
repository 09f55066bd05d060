import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { UserError } from '../errors.ts';
import { putSample, sampleFilesOf } from './demo-folder.ts';
import type { CommandContext } from './run-command.ts';
import { readServiceOptions } from './service-options.ts';

/** @throws UserError `bad_option` for an option that only a sandbox has */
export const assertSandbox = ({ config }: Pick<CommandContext, 'config'>, { demo }: { demo?: boolean }) => {
  if (demo && !config.isSandbox)
    throw new UserError(
      'bad_option',
      '--demo needs --sandbox, too: sample files never go to a real service. Run `cartwright up --sandbox --demo`.',
    );
};

/** Runs the service that the accounts of a sandbox order from, until the command ends. */
export const runSandbox = async ({ config, logger, atEnd }: CommandContext): Promise<void> => {
  const embedded = await startEmbeddedPostgres({ dataFolder: config.dataFolder, logger });
  atEnd(() => embedded.stop());
  const { listenService } = await import('../service/listen-service.ts');
  const { service: settings } = readServiceOptions(config, {});
  const service = await listenService({ config: settings, logger, databaseUrl: embedded.url });
  atEnd(() => service.stop());
};

/** Puts the sample files of one dealer into the inbox of the first account; the same files again are only repeated. */
export const playDemo = async ({ config }: Pick<CommandContext, 'config'>): Promise<void> => {
  const [account] = config.accounts;
  if (!account) return;
  for (const name of await sampleFilesOf('northside')) await putSample(name, account.folder);
};
