import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';

const running = new Set<EmbeddedPostgres>();

/** Starts the built-in Postgres for a benchmark. `stop` or Ctrl-C ends it. */
export const startBenchPostgres = async (dataFolder: string): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataFolder, logger: silentLogger });
  running.add(server);
  return {
    url: server.url,
    stop: async () => {
      running.delete(server);
      await server.stop();
    },
  };
};

/** Stops all servers: Ctrl-C does not reach Postgres, which has its own process group. */
export const stopBenchPostgres = async (): Promise<void> => {
  await Promise.all([...running].map((server) => server.stop()));
};
