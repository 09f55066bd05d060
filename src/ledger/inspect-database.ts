import type pg from 'pg';

/** Facts about the database that matter when setting Cartwright up. */
export interface DatabaseFacts {
  version: string;
  user: string;
  database: string;
  /** The TLS version of the connection; undefined: not encrypted. */
  tls: string | undefined;
  encoding: string;
  /** The user may create schemas, as the first start does. */
  mayCreate: boolean;
  /** Existing schemas of Cartwright that belong to another role. */
  foreignSchemas: string[];
  /** Settings with which a crash may lose committed data. */
  unsafe: string[];
  maxConnections: number;
  usedConnections: number;
  sizeBytes: number;
  /** The server's clock minus this machine's clock, in milliseconds. */
  aheadMs: number;
  /** The server's data directory; undefined: the user has no permission to read it. */
  dataFolder: string | undefined;
}

const factsSql = `
  select current_setting('server_version') as version, current_user as "user", current_database() as database,
    (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as tls,
    current_setting('server_encoding') as encoding,
    has_database_privilege(current_database(), 'create') as "mayCreate",
    array(select n.nspname::text from pg_namespace n
      where n.nspname in ('cartwright', 'bullmq') and not pg_has_role(n.nspowner, 'usage') order by 1) as "foreignSchemas",
    array(select s.name || ' = ' || s.setting from pg_settings s
      where (s.name in ('fsync', 'full_page_writes') and s.setting = 'off')
        or (s.name = 'synchronous_commit' and s.setting = 'off') order by 1) as unsafe,
    current_setting('max_connections')::int as "maxConnections",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
    pg_database_size(current_database())::float8 as "sizeBytes",
    case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory', true) end as "dataFolder"`;

/** Changes nothing. The database need not have a ledger. */
export const inspectDatabase = async (pool: pg.Pool): Promise<DatabaseFacts> => {
  const facts = (await pool.query(factsSql)).rows[0];
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const between = (before + Date.now()) / 2;
  return {
    ...facts,
    tls: facts.tls ?? undefined,
    dataFolder: facts.dataFolder ?? undefined,
    aheadMs: Math.round(rows[0]!.now.getTime() - between),
  };
};
