import { z } from 'zod';
import { cartOptionFields } from '../contract/carts.ts';
import { codeListsOf } from './code-lists.ts';
import { cartDefaults, checkDealers, dealerSchema } from './dealer-schema.ts';
import { faultRule } from './fault-rules.ts';
import { isLoopback } from './loopback.ts';

const codes = z
  .array(z.string().regex(/^[A-Za-z0-9_-]{1,20}$/, { error: 'must be 1 to 20 letters, digits, - or _' }))
  .default([]);

const variableName = z
  .string()
  .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, { error: 'must be the name of an environment variable' });

const milliseconds = (max: number) => z.int().min(0).max(max);

const settings = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. An address outside loopback requires dealers with tokens, or `anyone`.'),
  port: z.int().min(0).max(65535).default(8480).describe('Port to listen on; 0 chooses a free one.'),
  catalogue: z
    .string()
    .min(1)
    .default('any')
    .describe(
      'A CSV file with the columns sku, item_id, name, price, stock_GA, stock_ID, stock_IN and stock_TX; or "any": every SKU exists, with a made-up price and stock that never change.',
    ),
  dealers: z
    .array(dealerSchema)
    .default([])
    .describe(
      'Dealers with name, tokenEnv (the environment variable that holds the token; or the token itself as `token`, in a file that only you can read), access and defaults. If empty, there is one dealer without a token, on loopback only.',
    ),
  anyone: z
    .boolean()
    .default(false)
    .describe(
      'Serves everyone who can reach it as one dealer, without a token, also outside loopback: for a mock with made-up data.',
    ),
  defaults: cartDefaults.describe(
    'Cart options for every dealer, used if neither the request nor the dealer sets them.',
  ),
  envelope: z.enum(['none', 'data']).default('none').describe('Whether answers are wrapped in {"data": …}.'),
  input: z
    .enum(['strict', 'lenient'])
    .default('strict')
    .describe(
      '"lenient" drops request fields that it does not know, and accepts, in JSON, null for a field that is not sent, numbers and booleans as text and numbers as item_id or item_sku, and a slash at the end of a path.',
    ),
  warehouses: codes.describe(
    'Warehouses beyond those of the interface. A catalogue file needs a column stock_CODE for each.',
  ),
  shipCodes: codes.describe('Shipping codes beyond those of the interface, for carts and orders.'),
  cors: z
    .array(
      z
        .string()
        .refine((origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin), {
          error: 'must be an origin such as https://shop.example, or *',
        }),
    )
    .default([])
    .describe('Origins whose web pages may call the service; ["*"] allows all.'),
  existingCart: z
    .enum(['refused', 'replaced'])
    .default('refused')
    .describe('Creating a cart for a PO that has an open one: 409, or the new cart replaces the old one.'),
  poReuse: z
    .enum(['refused', 'allowed'])
    .default('refused')
    .describe('Whether a PO number can be ordered a second time; if not, the answer is 409.'),
  cartAfterSubmission: z
    .enum(['consumed', 'kept'])
    .default('consumed')
    .describe(
      'Whether submitting a cart removes it. A kept cart can be submitted again if poReuse is "allowed".',
    ),
  sameSku: z
    .enum(['lines', 'merged'])
    .default('lines')
    .describe('A SKU added twice becomes two lines, or one line with the sum.'),
  itemsIn: z
    .array(z.enum(['carts', 'orders']))
    .default(['carts', 'orders'])
    .describe(
      'Which answers list the items: GET /carts/{po_number}, and orders, whose list is empty otherwise.',
    ),
  readLagMs: milliseconds(600_000)
    .default(0)
    .describe('Reads return the state of this many milliseconds ago, like a replica that lags behind.'),
  clockSpeed: z
    .number()
    .min(0)
    .max(1e9)
    .default(1)
    .describe(
      'How many times faster than real time orders progress; 0 stops the clock, which can then be stepped by hand.',
    ),
  ratePerSecond: z
    .number()
    .min(0)
    .default(0)
    .describe(
      'Average number of calls per second allowed for each dealer; calls beyond it get 429, after a burst of 20. 0 means no limit.',
    ),
  maxItemsPerCart: z.int().min(1).max(5_000).default(500).describe('Maximum number of items in one cart.'),
  maxQuantity: z.int().min(1).max(400_000).default(99_999).describe('Maximum quantity of one item.'),
  admin: z
    .boolean()
    .default(false)
    .describe(
      'Serves /admin (reset, seeds, clock, statuses, faults, journal) to callers on loopback. Not allowed if the service listens outside loopback without an admin token.',
    ),
  adminTokenEnv: variableName
    .default('')
    .describe(
      'The environment variable that holds the admin token. With a token, /admin is served, also to callers from elsewhere that send it as "Authorization: Bearer TOKEN".',
    ),
  seed: z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .describe(
      'Carts and orders to create at the start and after a reset, if their PO numbers are not in use.',
    ),
  faults: z
    .array(faultRule)
    .default([])
    .describe(
      'Fault rules for tests, tried in order on each call. Not allowed if the service listens outside loopback without an admin token.',
    ),
});

/**
 * Every setting of the dealer order service, with its default and description. Command-line options, help and the
 * configuration file all use this schema.
 */
export const serviceConfigSchema = settings.superRefine((config, context) => {
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (!isLoopback(config.host)) {
    const outside = `because the service listens on ${config.host}, which is not a loopback address`;
    if (config.dealers.length === 0 && !config.anyone)
      refuse(
        ['dealers'],
        `at least one dealer with a token is required ${outside}; add one, set anyone, or listen on 127.0.0.1`,
      );
    if (config.adminTokenEnv === '') {
      if (config.admin) refuse(['admin'], `must be off without an admin token ${outside}`);
      if (config.faults.length > 0) refuse(['faults'], `must be empty without an admin token ${outside}`);
    }
  }
  if (config.anyone && config.dealers.length > 0)
    refuse(['anyone'], 'must be off if there are dealers: they have tokens');
  const lists = codeListsOf(config);
  const checkDefaults = (path: PropertyKey[], defaults: z.infer<typeof cartDefaults>) => {
    const checked = z.object(cartOptionFields(lists)).partial().safeParse(defaults);
    for (const issue of checked.error?.issues ?? []) refuse([...path, ...issue.path], issue.message);
  };
  checkDefaults(['defaults'], config.defaults);
  for (const [at, { defaults }] of config.dealers.entries())
    checkDefaults(['dealers', at, 'defaults'], defaults);
  checkDealers(config.dealers, refuse);
});

type ParsedSettings = z.infer<typeof serviceConfigSchema>;

/** Fixed values, and values that only code can set. */
const decided = {
  adminToken: '',
  /** Text before the number of each new order. */
  orderPrefix: '',
  /** How to treat items that a catalogue file does not have. */
  unknownItems: 'refused' as 'refused' | 'made-up',
  rateBurst: 20,
  /** Added to each call. */
  latencyMs: 0,
  bodyLimitBytes: 65_536,
  headerLimitBytes: 16_384,
  requestTimeoutMs: 15_000,
  idleTimeoutMs: 120_000,
  /** Connections to Postgres. */
  poolSize: 10,
};
export type ServiceInternals = typeof decided;

/** The service's validated configuration, with everything filled in. */
export type ServiceConfig = ParsedSettings & ServiceInternals;

export const serviceConfigOf = (
  settings: ParsedSettings,
  own: Partial<ServiceInternals> = {},
): ServiceConfig => ({ ...decided, ...own, ...settings });

/** The settings as given: everything is optional. */
export type ServiceSettings = z.input<typeof serviceConfigSchema>;

/** A program can pass the token itself instead of naming a variable; validation then needs a name to stand in for it. */
const givenInCode = (token: string | undefined) => (token ? { adminTokenEnv: 'GIVEN_IN_CODE' } : {});

/** Validates the settings that a program passes, including those that only code can set. */
export const safeServiceConfig = (
  given: ServiceSettings & Partial<ServiceInternals>,
  error?: Parameters<typeof serviceConfigSchema.safeParse>[1],
) => {
  const isOwn = (name: string) => Object.hasOwn(decided, name);
  const [own, settings] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => isOwn(name) === wanted)),
  ) as [Partial<ServiceInternals>, ServiceSettings];
  const parsed = serviceConfigSchema.safeParse({ ...settings, ...givenInCode(own.adminToken) }, error);
  return parsed.success ? { ...parsed, data: serviceConfigOf(parsed.data, own) } : parsed;
};

/** Whether /admin is served. */
export const servesAdmin = (config: ServiceConfig): boolean => config.admin || config.adminToken !== '';
