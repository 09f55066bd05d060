import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl, migratedDatabase, runOnServer } from './migrated-database.ts';

/**
 * A separate database in the test run's Postgres. `drop` also closes open connections.
 *
 * @param migrated with an empty ledger; otherwise without any table
 */
export const createTestDatabase = async ({
  migrated = false,
} = {}): Promise<{
  url: string;
  drop(): Promise<void>;
}> => {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${migrated ? migratedDatabase : 'template1'}`);
  return {
    url: databaseUrl(server, name),
    drop: async () => {
      // A connection that is just closing would report its termination, with no listener left.
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
