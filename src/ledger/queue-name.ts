import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Of the server; undefined where the user may not ask (some hosted databases). */
const readSystemId = async (pool: pg.Pool): Promise<string | undefined> => {
  try {
    const { rows } = await pool.query('select system_identifier::text as id from pg_control_system()');
    return rows[0].id;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return undefined;
    throw error;
  }
};

/**
 * The name that this ledger's queue has on a Redis that others may use, too. It stays as long as the ledger does;
 * a copy of the ledger that was restored into another database has another one.
 */
export const readQueueName = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ id: string; database: string }>(
    `select i.id, d.oid::text as database from ledger_identity i, pg_database d
     where d.datname = current_database()`,
  );
  const identity = [rows[0]!.id, rows[0]!.database, await readSystemId(pool)].join('/');
  return `cartwright-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
};
