import type pg from 'pg';
import { samplesCatalogue } from '../config/sandbox.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { latestPrice } from '../ledger/latest-price.ts';
import { CannotStart } from '../service/cannot-start.ts';
import type { ExpectedPrice } from '../service/catalogue.ts';
import { putSample, sampleFilesOf } from './demo-folder.ts';
import { badOption } from './option-text.ts';
import type { CommandContext } from './run-command.ts';
import { readServiceOptions } from './service-options.ts';

/** @throws UserError `bad_option` for a sandbox option without a sandbox */
export const assertSandbox = ({ config }: Pick<CommandContext, 'config'>, { demo }: { demo?: boolean }) => {
  if (demo && !config.isSandbox)
    throw badOption(
      '--demo needs --sandbox, too: sample files never go to a real service. Run `cartwright up --sandbox --demo`.',
    );
};

/**
 * Runs the service that the accounts of a sandbox order from, until the command ends. Unknown items get the price expected by the files,
 * because the price guard would hold an invented one, and a newcomer would look for the mistake in the file.
 *
 * @param ledger of the sandbox; undefined: it is not open yet
 */
export const runSandbox = async (
  { config, logger, atEnd }: CommandContext,
  ledger: () => pg.Pool | undefined,
): Promise<void> => {
  const embedded = await startEmbeddedPostgres({ dataFolder: config.dataFolder, logger });
  atEnd(() => embedded.stop());
  const { listenService } = await import('../service/listen-service.ts');
  const { service: settings } = readServiceOptions(config, {});
  const expectedPrice: ExpectedPrice = async (name) => {
    const pool = ledger();
    const price = pool && (await latestPrice(pool, name));
    // In cents, and never above the expected price.
    return price === undefined ? undefined : Math.max(1, Math.floor(Number(price) * 100 + 1e-6));
  };
  const service = await listenService({
    config: {
      ...settings,
      // Makes its orders recognisable, and lets items be ordered that are not in the samples.
      orderPrefix: 'SANDBOX-',
      unknownItems: settings.catalogue === samplesCatalogue ? 'made-up' : 'refused',
    },
    ...{ logger, databaseUrl: embedded.url, expectedPrice },
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof CannotStart) || thrown.code !== 'port_taken') throw thrown;
    throw new CannotStart(
      'port_taken',
      `Port ${settings.port} of the sandbox is in use, perhaps by another \`cartwright up --sandbox\`: stop that one first, or use it. If it is another program, set service.port in cartwright.yaml.`,
      { cause: thrown },
    );
  });
  atEnd(() => service.stop());
};

/** Puts the sample files of one dealer into the inbox of the first account; the same files again are only repeated. */
export const playDemo = async ({ config }: Pick<CommandContext, 'config'>): Promise<void> => {
  const [account] = config.accounts;
  if (!account) return;
  for (const name of await sampleFilesOf('northside')) await putSample(name, account.folder);
};
