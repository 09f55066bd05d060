import { z } from 'zod';
import { cartOptionFields } from '../contract/carts.ts';
import { plainText } from '../contract/text.ts';

/** Cart options; their codes are checked later, when the additional codes are known. */
export const cartDefaults = z
  .strictObject({
    ...cartOptionFields(),
    default_warehouse: plainText().describe('Default warehouse.'),
    ship_via: plainText().describe('Shipping method code.'),
    cross_ship_via: plainText().describe('Cross ship method code.'),
  })
  .partial()
  .default({});

/** A dealer of the configuration. */
export const dealerSchema = z.strictObject({
  name: z.string().min(1).describe('The name of the dealer in the audit log and in log lines.'),
  token: z
    .string()
    .min(1)
    .optional()
    .describe('The secret that the dealer sends as "Authorization: Bearer TOKEN".')
    .meta({ secret: true }),
  tokenEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })
    .optional()
    .describe('The environment variable that holds the token, instead of `token`.'),
  access: z
    .enum(['full', 'read', 'none'])
    .default('full')
    .describe('What the token permits; everything else is answered 403. "none" is a suspended dealer.'),
  defaults: cartDefaults.describe(
    'Cart options used if the request does not set them; they override the service defaults.',
  ),
});

/** A configured dealer: name, secret, permissions and cart defaults. */
export type Dealer = z.infer<typeof dealerSchema>;

/** Each dealer has exactly one token, and no two have the same name or token. */
export const checkDealers = (
  dealers: readonly z.infer<typeof dealerSchema>[],
  refuse: (path: PropertyKey[], message: string) => void,
): void => {
  const seen = new Set<string>();
  for (const [at, dealer] of dealers.entries()) {
    if ((dealer.token === undefined) === (dealer.tokenEnv === undefined)) {
      refuse(['dealers', at, 'token'], 'set exactly one of token and tokenEnv');
    }
    for (const [key, value] of [
      ['name', dealer.name],
      ['token', dealer.token],
    ] as const) {
      if (value === undefined) continue;
      if (seen.has(`${key} ${value}`)) refuse(['dealers', at, key], `another dealer has the same ${key}`);
      seen.add(`${key} ${value}`);
    }
  }
};
