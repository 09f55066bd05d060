import type pg from 'pg';

/**
 * Changes when the ledger may have been replaced: restored from a backup into the same database or another,
 * emptied, or its server started on other data. A restart of the server changes it too, which does no harm.
 */
export const readLedgerIdentity = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ identity: string }>({
    name: 'ledger-identity',
    text: `select concat_ws('/', pg_postmaster_start_time(), 'imports'::regclass::oid,
      pg_relation_filenode('imports')) as identity`,
  });
  return rows[0]!.identity;
};
