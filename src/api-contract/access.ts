import { z } from 'zod';
import { whyGuessable } from './guessable.ts';
import { isNameOf, isVisible } from './names.ts';

/** What a person or a token may do; each role includes those before it. */
export const role = z
  .enum(['viewer', 'operator', 'admin'])
  .describe('viewer: see; operator: also act; admin: also manage users, tokens and queues.');

/** The accounts that a person or a token may see: all, or a list. */
export const accountScope = z
  .union([z.literal('all'), z.array(z.string().min(1).max(40)).min(1).max(1000)])
  .describe('`all`, or the names of the accounts.');

/** A user or token with rights. */
const holder = { id: z.string(), name: z.string(), role, accounts: accountScope };
const made = { createdAt: z.iso.datetime(), createdBy: z.string() };

/** An admin manages the users of all accounts, and so has all accounts. */
const adminHasAll = ({ role, accounts }: { role: string; accounts: 'all' | string[] }): boolean =>
  role !== 'admin' || accounts === 'all';
const adminNeedsAll = { path: ['accounts'], error: 'must be all for an admin' };

export const personName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(isVisible, 'must not have control characters or other characters that cannot be seen');

export const password = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(1000)
  .superRefine((given, context) => {
    const why = given.length < 12 ? undefined : whyGuessable(given);
    if (why !== undefined) context.addIssue({ code: 'custom', message: why });
  });

/** A name that an earlier version accepted still signs in. */
export const signInBody = z.object({
  name: z.string().trim().min(1).max(100),
  password: z.string().min(1).max(1000),
});

const isNoName = ({ name, password: secret }: { name: string; password: string }): boolean =>
  !isNameOf(secret, name);
const mustBeNoName = { path: ['password'], error: 'must not be little more than the user name' };

export const setUpBody = z
  .object({ link: z.string().min(1).max(200), name: personName, password })
  .refine(isNoName, mustBeNoName);

/** `PUT /me/times`: the user's time settings. */
export const seenTimes = z.object({
  times: z
    .enum(['mixed', 'relative', 'absolute'])
    .describe('mixed: how long ago where that helps. relative, absolute: everywhere.'),
  zone: z.enum(['account', 'own']).describe('account: the zone of the account. own: that of the browser.'),
});

/** Who is signed in. */
export const me = z.object({
  ...seenTimes.shape,
  ...holder,
  hasPassword: z.boolean().describe('False for a user of OpenID Connect, and for a token.'),
  sessionEnds: z.iso.datetime().nullable().describe('When the session ends although it is used.'),
  isSandbox: z.boolean().describe('True: orders go to a sandbox, and none of them is real.'),
});

/** The available ways to sign in, for the sign-in page. */
export const signInOptions = z.object({
  password: z.boolean(),
  openId: z.object({ url: z.string() }).nullable(),
  needsFirstUser: z.boolean().describe('No user exists: the console was never set up.'),
});

export const changePasswordBody = z.object({ current: z.string().max(1000), next: password });

export const session = z.object({
  id: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  current: z.boolean().describe('The session of this request.'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  address: z.string(),
  browser: z.string(),
});
export const sessionList = z.object({ items: z.array(session) });

export const user = z.object({
  ...holder,
  signsInWith: z.enum(['password', 'openid']),
  ...made,
  signedInAt: z.iso.datetime().nullable(),
});
export const userList = z.object({ items: z.array(user) });
export const newUserBody = z
  .object({ name: personName, password, role, accounts: accountScope })
  .refine(adminHasAll, adminNeedsAll)
  .refine(isNoName, mustBeNoName);
export const changeUserBody = z
  .object({ role, accounts: accountScope, password })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must change something');

export const token = z.object({
  ...holder,
  ...made,
  usedAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable().describe('Null: it is valid until it is revoked.'),
});
export const tokenList = z.object({ items: z.array(token) });
export const newTokenBody = z
  .object({
    name: personName,
    role,
    accounts: accountScope,
    days: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(null)
      .describe('How long it is valid; null: until it is revoked.'),
  })
  .refine(adminHasAll, adminNeedsAll);
export const newToken = token.extend({
  secret: z.string().describe('The token itself. It is shown only this once.'),
});

export const byId = z.object({ id: z.string().max(64) });
export const done = z.object({ done: z.literal(true) });

/** The shape of every problem (RFC 9457). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('A sentence for people: what happened and what to do.'),
  code: z.string().describe('Stable, for programs.'),
  errors: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

export type Role = z.infer<typeof role>;
export type AccountScope = z.infer<typeof accountScope>;
export type Me = z.infer<typeof me>;
export type SeenTimes = z.infer<typeof seenTimes>;
export type SignInOptions = z.infer<typeof signInOptions>;
export type Session = z.infer<typeof session>;
export type User = z.infer<typeof user>;
export type Token = z.infer<typeof token>;
export type NewToken = z.infer<typeof newToken>;
export type Problem = z.infer<typeof problem>;
