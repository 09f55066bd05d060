import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl, migratedDatabase, runOnServer } from './migrated-database.ts';

/**
 * A database of its own in the test run's Postgres, with a ledger without any row. `drop` also closes open connections.
 *
 * @param empty the database has nothing, not even a ledger: for tests of what makes one
 */
export const createTestDatabase = async ({
  empty = false,
} = {}): Promise<{
  url: string;
  drop(): Promise<void>;
}> => {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${empty ? 'template1' : migratedDatabase}`);
  return {
    url: databaseUrl(server, name),
    drop: async () => {
      // A connection that is just closing would report that it was terminated, and nobody listens to it any more.
      await runOnServer(
        server,
        `do $$ begin
           for i in 1..50 loop
             perform pg_stat_clear_snapshot();
             exit when not exists (select from pg_stat_activity where datname = '${name}');
             perform pg_sleep(0.02);
           end loop;
         end $$`,
      );
      await runOnServer(server, `drop database if exists ${name} with (force)`);
    },
  };
};
