// Writes src/ledger/schema.sql and src/service/schema.sql from the migrations: `npm run schema`.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { createLogger } from '../../src/logger.ts';
import { renderSchemas } from './render-schemas.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-schema-'));
// As root the server runs as another user, who needs access.
await chmod(folder, 0o711);
const logger = createLogger({ level: 'warn', readable: true });
const server = await startEmbeddedPostgres({ dataFolder: folder, logger, durable: false });
const pool = new pg.Pool({ connectionString: server.url });
try {
  for (const [file, text] of Object.entries(await renderSchemas(pool))) {
    await writeFile(new URL(`../../${file}`, import.meta.url), text);
  }
} finally {
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
