import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

const run = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** An empty database of its own in the test run's Postgres. `drop` also closes open connections. */
export const createTestDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      // A connection that is just closing would report that it was terminated, and nobody listens to it any more.
      await run(
        server,
        `do $$ begin
           for i in 1..50 loop
             perform pg_stat_clear_snapshot();
             exit when not exists (select from pg_stat_activity where datname = '${name}');
             perform pg_sleep(0.02);
           end loop;
         end $$`,
      );
      await run(server, `drop database if exists ${name} with (force)`);
    },
  };
};
