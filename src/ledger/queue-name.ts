import { createHash } from 'node:crypto';
import type pg from 'pg';
import { onlyValue } from './query.ts';

/** The server's system identifier; undefined if the user has no permission to read it (some hosted databases). */
const readSystemId = async (pool: pg.Pool): Promise<string | undefined> => {
  try {
    const { rows } = await pool.query('select system_identifier::text as id from pg_control_system()');
    return rows[0].id;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return undefined;
    throw error;
  }
};

/** A UUID that a ledger keeps, also when it is restored elsewhere. */
export const readLedgerId = (pool: pg.Pool): Promise<string> =>
  onlyValue(pool, 'select id from ledger_identity');

/**
 * The name of this ledger's queue on a Redis that may be shared. It never changes for a ledger; a copy of the ledger
 * restored into another database has another name.
 */
export const readQueueName = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ id: string; database: string }>(
    `select i.id, d.oid::text as database from ledger_identity i, pg_database d
     where d.datname = current_database()`,
  );
  const identity = [rows[0]!.id, rows[0]!.database, await readSystemId(pool)].join('/');
  return `cartwright-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
};
