import type { Command } from 'commander';
import { startEmbeddedPostgres } from '../../embedded/start-embedded-postgres.ts';
import { assertDatabase, createPool } from '../../ledger/pool.ts';
import { exitCodes } from '../exit-codes.ts';
import { runCommand } from '../run-command.ts';
import { addServiceOptions, readServiceOptions } from '../service-options.ts';

/** `cartwright service`. */
export const addServiceCommand = (program: Command): void => {
  const command = program
    .command('service')
    .summary('run a dealer order service: a sandbox to order at')
    .description(
      'Runs the dealer order service of the spec: carts, items, orders and statuses, in Postgres (DATABASE_URL, or the built-in one of the data folder). Its page is at /docs, its OpenAPI document at /openapi.json. Every option below can also stand in cartwright.yaml under `service`, by its name without dashes (readLagMs); docs/service.md explains the interface.',
    );
  addServiceOptions(command);
  command
    .addHelpText(
      'after',
      `
Examples:
  cartwright service                                        any SKU exists, with a steady invented price
  cartwright service --catalogue samples/catalogue.csv --clock-speed 3600
  cartwright service --latency-ms 50 --rate-per-second 20   a slow service with a limit
  cartwright service --faults '[{"kind":"close-after","endpoint":"submitOrder","count":1}]'
  cartwright service --dealers '[{"name":"north","tokenEnv":"NORTH_TOKEN"}]' --host 0.0.0.0

A dealer's token comes from an environment variable (tokenEnv) or from the configuration file: every user of
the machine can read the arguments of a running command.`,
    )
    .action(
      runCommand<Record<string, unknown>>('service', async (context, _args, options) => {
        const { config, logger, terminal, signals, atEnd } = context;
        const { service: serviceConfig, exposed } = readServiceOptions(config, options);
        if (exposed) {
          terminal.note(
            'cartwright: every user of this machine can read the tokens given with --dealers (ps). Give tokenEnv, the name of an environment variable, or put the dealers into the configuration file.',
          );
        }
        const embedded =
          config.databaseUrl === undefined
            ? await startEmbeddedPostgres({ dataFolder: config.dataFolder, logger })
            : undefined;
        if (embedded) atEnd(() => embedded.stop());
        if (config.databaseUrl !== undefined) {
          // For its sentence: the service itself only passes on what pg throws.
          const asked = createPool(config.databaseUrl, { max: 1, logger });
          await assertDatabase(asked, config.databaseUrl).finally(() => asked.end());
        }
        const { listenService } = await import('../../service/listen-service.ts');
        const service = await listenService({
          config: serviceConfig,
          logger,
          databaseUrl: config.databaseUrl ?? embedded!.url,
        });
        atEnd(() => service.stop());
        terminal.answer({ url: service.url });
        terminal.say(
          `Dealer order service at ${service.url}   its page: ${service.url}/docs   Stop with Ctrl-C.`,
        );
        await signals.requested;
        return exitCodes.fine.code;
      }),
    );
};
