import pg from 'pg';

const lockKey = 0x62656174;

/** How often a running server writes its heartbeat. */
export const heartbeatMs = 2_000;

// The loop runs in the server: it ends with the server, not with the owner that started it. Each round commits, so that
// no snapshot blocks vacuum. A full disk must not end it.
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
 * Makes the server at `url` write the file `heartbeat` beside its data directory every two seconds for as long as the
 * server runs, even if this process ends. Idempotent.
 *
 * @returns `detach` closes our end of the session; the heartbeat continues
 * @throws pg's errors if the server cannot be reached
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
    // Not end(), which would wait for a statement that never ends.
    client.connection.stream.destroy();
  };
  void client.query(beatSql).then(detach, detach);
  return { detach };
};
