import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { numberOf } from './older-workers.ts';

export const migrationsFolder = new URL('./migrations/', import.meta.url);

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
  /** Workers that know this migration number or a later one may keep running after this migration; null: none may. */
  beside: string | null;
}

export const readMigrations = async (from: URL = migrationsFolder): Promise<Migration[]> => {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, from), 'utf8');
      const beside = /^-- beside: (\d{3})$/m.exec(sql.split('\n', 1)[0]!)?.[1] ?? null;
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), beside };
    }),
  );
};

/** The number of the last migration that this version knows. */
export const readLastNumber = async (): Promise<string> => numberOf((await readMigrations()).at(-1)!.name);
