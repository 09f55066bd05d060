import pg from 'pg';

/**
 * Drops whole schemas with everything in them. For the demo's own database, which begins anew each time;
 * there is no way back.
 */
export const dropSchemas = async (url: string, schemas: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const schema of schemas) {
      await client.query(`drop schema if exists ${pg.escapeIdentifier(schema)} cascade`);
    }
  } finally {
    await client.end();
  }
};
