import type pg from 'pg';
import type { ServiceConfig } from './config.ts';

/** Counts a call of a dealer. Returns 0 if it is within the limit, else the milliseconds until the next one is. */
export type RateLimit = (dealer: string) => Promise<number>;

/**
 * A token bucket per dealer, in Postgres, so that the limit applies across all processes. A bucket is stored as the
 * time at which it will be full: a call moves that time on by one token's worth, and is refused if the bucket does
 * not hold enough tokens.
 */
export const createRateLimit = (
  pool: pg.Pool,
  { ratePerSecond, rateBurst }: Pick<ServiceConfig, 'ratePerSecond' | 'rateBurst'>,
): RateLimit => {
  if (ratePerSecond === 0) return async () => 0;
  const tokenMs = 1_000 / ratePerSecond;
  return async (dealer) => {
    const taken = await pool.query({
      name: 'service-take-token',
      text: `insert into dealer_service.rate_buckets as bucket (dealer, full_at)
             values ($1, clock_timestamp() + $2 * interval '1 millisecond')
             on conflict (dealer) do update
             set full_at = greatest(bucket.full_at, clock_timestamp()) + $2 * interval '1 millisecond'
             where bucket.full_at <= clock_timestamp() + $3 * interval '1 millisecond'`,
      values: [dealer, tokenMs, (rateBurst - 1) * tokenMs],
    });
    if (taken.rowCount === 1) return 0;
    const { rows } = await pool.query<{ wait_ms: number }>({
      name: 'service-wait-for-token',
      text: `select extract(epoch from full_at - clock_timestamp())::double precision * 1000 - $2::double precision as wait_ms
             from dealer_service.rate_buckets where dealer = $1`,
      values: [dealer, (rateBurst - 1) * tokenMs],
    });
    return Math.max(rows[0]?.wait_ms ?? 0, 1);
  };
};
