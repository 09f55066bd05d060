import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A separate database on a shared server. */
export interface OwnDatabase {
  url: string;
  /** Drops the database and its remaining connections. */
  drop(): Promise<void>;
}

const dayMs = 86_400_000;

const withClient = async <T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
};

/** Drops old databases of killed processes, by the creation time in their names. */
const dropForgotten = async (client: pg.Client, prefix: string): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database as d where datname ~ ('^' || $1 || '_[0-9]+_[0-9a-f]+$')
       and not exists (select from pg_stat_activity as a where a.datname = d.datname)`,
    [prefix],
  );
  for (const { datname } of rows) {
    const madeAt = Number(datname.split('_').at(-2));
    if (Date.now() - madeAt > dayMs) await client.query(`drop database if exists ${datname}`);
  }
};

/**
 * Creates an empty database on the server of `url`.
 * @param prefix the start of its name: lower-case letters
 */
export const createOwnDatabase = async (url: string, prefix: string): Promise<OwnDatabase> => {
  const name = `${prefix}_${Date.now()}_${randomBytes(4).toString('hex')}`;
  await withClient(url, async (client) => {
    await dropForgotten(client, prefix);
    // The other strategy waits for checkpoints.
    await client.query(`create database ${name} strategy wal_log`);
  });
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    drop: () =>
      withClient(
        url,
        async (client) => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  };
};
