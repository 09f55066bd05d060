import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ledgerSchema, migrateLedger } from '../../src/ledger/migrate.ts';

/** A ledger's content at one moment: each table as COPY writes it. */
export type Dump = Map<string, Buffer>;

const tablesOf = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> 'migrations' order by 1`,
    [ledgerSchema],
  );
  return rows.map((row) => row.name);
};

/** Dumps a ledger that is in use: all tables as of one moment. */
export const dumpLedger = async (url: string): Promise<Dump> => {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${ledgerSchema}` });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const dump: Dump = new Map();
    for (const table of await tablesOf(client)) {
      dump.set(table, await buffer(client.query(copyTo(`copy ${table} to stdout`))));
    }
    await client.query('commit');
    return dump;
  } finally {
    await client.end();
  }
};

/** Restores a dump into an empty database; sequences continue after the largest number in the dump. */
export const restoreLedger = async (url: string, dump: Dump): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path=${ledgerSchema}` });
  try {
    await migrateLedger(pool);
    const client = await pool.connect();
    try {
      // Like pg_restore, do not check foreign keys during the restore, because the dump is consistent.
      await client.query(`set session_replication_role = replica`);
      for (const [table, rows] of dump) {
        // A migration may have inserted rows into a new ledger.
        await client.query(`delete from ${table}`);
        await pipeline(Readable.from([rows]), client.query(copyFrom(`copy ${table} from stdin`)));
        const { rows: columns } = await client.query(
          `select column_name as name, pg_get_serial_sequence($1, column_name) as sequence
           from information_schema.columns where table_schema = $2 and quote_ident(table_name) = $1`,
          [table, ledgerSchema],
        );
        for (const { name, sequence } of columns) {
          if (!sequence) continue;
          await client.query(
            `select setval($1, (select coalesce(max(${name}), 0) + 1 from ${table}), false)`,
            [sequence],
          );
        }
      }
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
};
