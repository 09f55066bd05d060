import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { renderSchemas } from './render-schemas.ts';

test('schema.sql of ledger and service show what the migrations make (npm run schema)', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  try {
    for (const [file, text] of Object.entries(await renderSchemas(pool))) {
      expect(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'), file).toBe(text);
    }
  } finally {
    await pool.end();
    await database.drop();
  }
});
