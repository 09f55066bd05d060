import type { Command } from 'commander';
import { startEmbeddedPostgres } from '../../embedded/start-embedded-postgres.ts';
import { assertDatabase } from '../../ledger/assert-database.ts';
import { createPool } from '../../ledger/pool.ts';
import { runCommand } from '../run-command.ts';
import { serveUntilStopped } from '../serve-until-stopped.ts';
import { addServiceOptions, readServiceOptions } from '../service-options.ts';
import { addServiceControl } from './service-control.ts';

export const addServiceCommand = (program: Command): void => {
  const command = program
    .command('service')
    .description(
      'Runs a dealer order service, stored in Postgres (DATABASE_URL, or the built-in one). Its page is at /docs, its OpenAPI document at /openapi.json. docs/service.md explains it.',
    );
  addServiceOptions(command);
  addServiceControl(command);
  command
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', () =>
      command.options.some(({ hidden }) => hidden)
        ? `
Examples:
  cartwright service --catalogue samples/catalogue.csv`
        : `
Every option can also be set in cartwright.yaml under \`service\`, by its name
without dashes (--read-lag-ms is readLagMs).

Examples:
  cartwright service
  cartwright service --catalogue samples/catalogue.csv --clock-speed 3600
  cartwright service --read-lag-ms 500 --rate-per-second 20
  cartwright service --faults '[{"kind":"close-after","count":1}]'
  cartwright service --dealers '[{"name":"north","tokenEnv":"NORTH_TOKEN"}]'
  cartwright service --admin
  cartwright service reset

Put dealers' tokens into environment variables (tokenEnv) or into the
configuration file, not into arguments: every user of the machine can read the
arguments of a running command.`,
    )
    .action(
      runCommand<Record<string, unknown>>('service', async (context, _args, options) => {
        const { config, logger, terminal, atEnd } = context;
        const { service: serviceConfig, exposed } = readServiceOptions(config, options);
        if (exposed) {
          terminal.note(
            'cartwright: Every user of this machine can read tokens given with --dealers (for example with ps). Use tokenEnv, the name of an environment variable, or the configuration file.',
          );
        }
        const embedded =
          config.databaseUrl === undefined
            ? await startEmbeddedPostgres({ dataFolder: config.dataFolder, logger })
            : undefined;
        if (embedded) atEnd(() => embedded.stop());
        if (config.databaseUrl !== undefined) {
          // Checked here for a better message, because the service itself only passes on pg's error.
          const probe = createPool(config.databaseUrl, { max: 1, logger });
          await assertDatabase(probe, config.databaseUrl).finally(() => probe.end());
        }
        const { listenService } = await import('../../service/listen-service.ts');
        const service = await listenService({
          config: serviceConfig,
          logger,
          databaseUrl: config.databaseUrl ?? embedded!.url,
        });
        atEnd(() => service.stop());
        terminal.answer({ url: service.url });
        terminal.say(`Dealer order service at ${service.url}`);
        terminal.say(`Documentation: ${service.url}/docs\nPress Ctrl-C to stop.`);
        await serveUntilStopped(context, { status: `Serving at ${service.url}` });
      }),
    );
};
