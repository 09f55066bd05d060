import type pg from 'pg';
import type { Token } from '../../api-contract/access.ts';
import { noteAccess } from '../changes.ts';
import { changesOne, firstRow, rowsOf } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, recordActivity } from './activity.ts';
import { iso } from './sql-parts.ts';

export interface TokenRow extends Omit<Token, 'accounts'> {
  /** Null: all accounts. */
  accounts: string[] | null;
}

const columns = (
  t: string,
) => `${t}.id::text, ${t}.name, ${t}.role, ${t}.accounts, ${t}.created_by as "createdBy",
  ${iso(`${t}.created_at`)} as "createdAt", ${iso(`${t}.used_at`)} as "usedAt", ${iso(`${t}.ends_at`)} as "endsAt"`;

/**
 * Finds a valid token and records the use.
 * @param tokenHash sha-256 of the token
 */
export const touchToken = (pool: pg.Pool, tokenHash: Buffer): Promise<TokenRow | undefined> =>
  firstRow(pool, {
    name: 'use-token',
    text: `
        with found as (
          select t.* from console_tokens t
          where t.token_hash = $1 and (t.ends_at is null or t.ends_at > clock_timestamp())
        ), used as (
          update console_tokens t set used_at = clock_timestamp() from found f
          where t.id = f.id and (f.used_at is null or f.used_at < clock_timestamp() - interval '1 minute')
        )
        select ${columns('f')} from found f`,
    values: [tokenHash],
  });

/** Whether a token is valid. Does not count as a use. */
export const isTokenValid = (pool: pg.Pool, id: string): Promise<boolean> =>
  changesOne(
    pool,
    'select from console_tokens t where t.id::text = $1 and (t.ends_at is null or t.ends_at > clock_timestamp())',
    [id],
  );

export const listTokens = (pool: pg.Pool): Promise<TokenRow[]> =>
  rowsOf(pool, `select ${columns('t')} from console_tokens t order by t.id`);

export const addToken = (
  pool: pg.Pool,
  token: Pick<TokenRow, 'name' | 'role' | 'accounts'> & { tokenHash: Buffer; days: number | null },
  by: Actor,
): Promise<TokenRow> =>
  inTransaction(pool, {}, async (client) => {
    const { name, role, accounts, tokenHash, days } = token;
    const { rows } = await client.query<TokenRow>(
      `insert into console_tokens as t (name, token_hash, role, accounts, created_by, ends_at)
       values ($1, $2, $3, $4, $5, clock_timestamp() + $6::integer * interval '1 day') returning ${columns('t')}`,
      [name, tokenHash, role, accounts, by.who, days],
    );
    const { id } = rows[0]!;
    await recordActivity(client, 'token_added', by, { token: name, id, role, accounts: accounts ?? 'all' });
    return rows[0]!;
  });

/** @returns whether the token existed */
export const revokeToken = async (pool: pg.Pool, id: string, by: Actor): Promise<boolean> => {
  const revoked = await inTransaction(pool, {}, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'delete from console_tokens where id::text = $1 returning name',
      [id],
    );
    if (!rows[0]) return false;
    await recordActivity(client, 'token_revoked', by, { token: rows[0].name, id });
    return true;
  });
  if (revoked) await noteAccess(pool);
  return revoked;
};
