import pg from 'pg';

const lockKey = 0x62656174;

/** How often a running server shows that it lives. */
export const heartbeatMs = 2_000;

// The session belongs to the server and not to whoever asked for it: a killed owner does not end it, the end of the
// server does. Each round commits, so that no snapshot keeps old rows from being vacuumed. A full disk must not end it.
const beatSql = `
  do $$
  begin
    if not pg_try_advisory_lock(${lockKey}) then return; end if;
    loop
      begin
        execute format('copy (select %L) to %L', clock_timestamp(), current_setting('data_directory') || '/../heartbeat');
      exception when others then null;
      end;
      commit;
      perform pg_sleep(${heartbeatMs / 1000});
    end loop;
  end $$`;

/**
 * Has the server at `url` write the file `heartbeat` beside its data directory every two seconds, for exactly as
 * long as it runs, whatever becomes of this process. A server that already does so is left as it is.
 *
 * @returns `detach` closes our end of the session; the server goes on beating
 * @throws what pg throws where the server cannot be reached
 */
export const startServerHeartbeat = async (url: string): Promise<{ detach(): void }> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'cartwright heartbeat',
  });
  client.on('error', () => {});
  await client.connect();
  const detach = (): void => {
    // Not end(): it would wait for a statement that never ends.
    client.connection.stream.destroy();
  };
  void client.query(beatSql).then(detach, detach);
  return { detach };
};
