import { z } from 'zod';

const error = 'must be a duration such as 250ms, 30s, 5m, 24h or 7d';

/** A duration as the configuration writes it (`250ms`, `30s`, `5m`, `24h`, `7d`), in milliseconds. */
export const duration = z
  .string({ error })
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, { error })
  .transform((text) => {
    const [, amount, unit] = /^([\d.]+)([a-z]+)$/.exec(text)!;
    return Math.round(
      Number(amount) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'ms'],
    );
  });
