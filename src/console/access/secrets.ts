import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createSlots } from '../slots.ts';

/** A new secret of 256 bits for a session, a token or a link, and what the ledger keeps of it. */
export const newSecret = (prefix = ''): { secret: string; hash: Buffer } => {
  const secret = prefix + randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
};

/** A new API token. Its beginning lets tools that search for leaked secrets recognise it. */
export const newToken = () => newSecret('cartwright_');

/** sha-256 of a secret. It is enough because nobody can guess 256 random bits; passwords need scrypt. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** OWASP's parameters for 32 MB of memory; several sign-ins at once must not use up the memory of a small machine. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;

/** Passwords that are checked at once. Each takes a thread of the pool for a while, and the others look up names and read files. */
const slots = createSlots(2);

const deriveNow = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * N * r;
    scrypt(password.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const derive = async (...given: Parameters<typeof deriveNow>): Promise<Buffer> => {
  await slots.enter();
  return deriveNow(...given).finally(slots.leave);
};

const describe = ({ N, r, p }: Cost) => `scrypt$${N}$${r}$${p}`;

/** Hashes a password: `scrypt$N$r$p$salt$hash`. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return `${describe(cost)}$${salt.toString('base64')}$${key.toString('base64')}`;
};

/** For a name that no user has, so that its sign-in takes as long as one with a wrong password. */
const nobody = `${describe(cost)}$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`;

/**
 * Compares a password with a stored hash, under the parameters that were stored with it.
 * @returns `outdated` if it is right and should be hashed again with the present parameters
 */
export const checkPassword = async (
  password: string,
  stored: string | undefined | null,
): Promise<'right' | 'outdated' | 'wrong'> => {
  const [, N, r, p, salt, hash] = (stored ?? nobody).split('$');
  const used = { N: Number(N), r: Number(r), p: Number(p) };
  const key = await derive(password, Buffer.from(salt!, 'base64'), used);
  if (!timingSafeEqual(key, Buffer.from(hash!, 'base64')) || !stored) return 'wrong';
  return describe(used) === describe(cost) ? 'right' : 'outdated';
};
