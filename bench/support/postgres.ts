import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';

const running = new Set<EmbeddedPostgres>();

/** The built-in Postgres for a benchmark, in a folder of its own. It ends with `stop`, or with Ctrl-C. */
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

/** Ctrl-C reaches every other process of a benchmark by itself; Postgres has a process group of its own. */
export const stopBenchPostgres = async (): Promise<void> => {
  await Promise.all([...running].map((server) => server.stop()));
};
