import { z } from 'zod';
import { cartOptionFields } from '../contract/carts.ts';
import { faultRule } from './fault-rules.ts';
import { isLoopback } from './loopback.ts';

const dealerSchema = z.strictObject({
  name: z.string().min(1).describe('Names the dealer in the audit log and in log lines.'),
  token: z
    .string()
    .min(1)
    .optional()
    .describe('The secret that the dealer sends as "Authorization: Bearer TOKEN".'),
  tokenEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable' })
    .optional()
    .describe('In place of `token`: the environment variable that holds it.'),
  access: z
    .enum(['full', 'read', 'none'])
    .default('full')
    .describe('What the token may do; 403 for the rest. "none" is a suspended dealer.'),
  defaults: z
    .strictObject(cartOptionFields())
    .partial()
    .default({})
    .describe('Cart options that apply where a request gives none, on top of the service defaults.'),
});

/** A dealer as configured: identity, secret, rights and defaults of its carts. */
export type Dealer = z.infer<typeof dealerSchema>;

const milliseconds = (max: number) => z.int().min(0).max(max);

const switches = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Anything outside loopback needs dealers with tokens.'),
  port: z.int().min(0).max(65535).default(8480).describe('Port to listen on; 0 takes a free one.'),
  catalogue: z
    .string()
    .min(1)
    .default('any')
    .describe(
      'A CSV file with sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX; or "any": every SKU exists, with a steady invented price and stock.',
    ),
  dealers: z
    .array(dealerSchema)
    .default([])
    .describe(
      'Dealers with name, tokenEnv (the environment variable that holds the token; or token itself, in a file that only you can read), access and defaults. None: one dealer without a token, on loopback only.',
    ),
  defaults: z
    .strictObject(cartOptionFields())
    .partial()
    .default({})
    .describe('Cart options that apply to every dealer where neither the request nor the dealer gives one.'),
  envelope: z
    .enum(['none', 'data'])
    .default('none')
    .describe('Whether an answer stands bare or inside {"data": …}.'),
  unknownFields: z
    .enum(['refused', 'ignored'])
    .default('refused')
    .describe('What happens to fields that the interface does not know. They are never stored.'),
  existingCart: z
    .enum(['refused', 'replaced'])
    .default('refused')
    .describe('Creating a cart for a PO that has an open one: 409, or the new cart replaces it.'),
  poReuse: z
    .enum(['refused', 'allowed'])
    .default('refused')
    .describe('Whether a PO number can be ordered a second time; 409 where it cannot.'),
  cartAfterSubmission: z
    .enum(['consumed', 'kept'])
    .default('consumed')
    .describe(
      'Whether the cart goes away when it is ordered. A kept cart can be ordered again where poReuse is "allowed".',
    ),
  sameSku: z
    .enum(['lines', 'merged'])
    .default('lines')
    .describe('A SKU added twice: two lines, or one line with the sum.'),
  cartItems: z.enum(['shown', 'hidden']).default('shown').describe('Whether show cart lists the items.'),
  orderItems: z
    .enum(['shown', 'empty'])
    .default('shown')
    .describe('Whether orders list their items, or an empty list in their place.'),
  readLagMs: milliseconds(600_000)
    .default(0)
    .describe('Reads show the state of this many milliseconds ago, as replicas do.'),
  latencyMs: milliseconds(60_000)
    .default(0)
    .describe('Added before each call is looked at, as a network far away would.'),
  clockSpeed: z
    .number()
    .min(0)
    .max(1e9)
    .default(1)
    .describe('How many times faster than real time orders move on; 0 stands still and is stepped by hand.'),
  ratePerSecond: z
    .number()
    .min(0)
    .default(0)
    .describe('Calls a second that each dealer may make on average; 0 is no limit. Beyond: 429.'),
  rateBurst: z
    .int()
    .min(1)
    .default(20)
    .describe('Calls that a dealer may make at once before it is held to the rate.'),
  maxItemsPerCart: z
    .int()
    .min(1)
    .max(5_000)
    .default(500)
    .describe('How many items can be added to one cart.'),
  maxQuantity: z.int().min(1).max(400_000).default(99_999).describe('The largest quantity of one item.'),
  bodyLimitBytes: z.int().min(1_024).default(65_536).describe('The largest request body; 413 beyond.'),
  headerLimitBytes: z.int().min(2_048).default(16_384).describe('The largest request head; 431 beyond.'),
  requestTimeoutMs: z
    .int()
    .min(100)
    .default(15_000)
    .describe('A request that has not arrived whole within this time is answered 408 and cut off.'),
  idleTimeoutMs: z
    .int()
    .min(100)
    .default(120_000)
    .describe(
      'A connection on which nothing moves for this long is cut off, also while an answer is unread.',
    ),
  poolSize: z
    .int()
    .min(1)
    .max(500)
    .default(10)
    .describe('Connections to Postgres that this process may hold.'),
  admin: z
    .boolean()
    .default(false)
    .describe('Serves /admin (clock, holds, faults) to callers on loopback. Refused outside loopback.'),
  faults: z
    .array(faultRule)
    .default([])
    .describe('Fault rules for tests, tried in their order on each call. Refused outside loopback.'),
});

/**
 * Every switch of the dealer order service, each with a default and a sentence that explains it: options,
 * help and configuration files are made of this one schema.
 */
export const serviceConfigSchema = switches.superRefine((config, context) => {
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (!isLoopback(config.host)) {
    const needed = `while the service listens on ${config.host}, outside loopback`;
    if (config.dealers.length === 0)
      refuse(['dealers'], `at least one dealer with a token is needed ${needed}`);
    if (config.admin) refuse(['admin'], `cannot be switched on ${needed}`);
    if (config.faults.length > 0) refuse(['faults'], `fault modes are refused ${needed}`);
  }
  const seen = new Set<string>();
  for (const [at, dealer] of config.dealers.entries()) {
    if ((dealer.token === undefined) === (dealer.tokenEnv === undefined)) {
      refuse(['dealers', at, 'token'], 'give either token or tokenEnv');
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
});

/** The service's configuration, checked and with every default filled in. */
export type ServiceConfig = z.infer<typeof serviceConfigSchema>;
