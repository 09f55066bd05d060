import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createSlots } from '../slots.ts';

/** A new 256-bit secret for a session, a token or a link, and the hash that the ledger stores. */
export const newSecret = (prefix = ''): { secret: string; hash: Buffer } => {
  const secret = prefix + randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
};

/** A new API token. Its prefix lets secret scanners recognise it. */
export const newToken = () => newSecret('cartwright_');

/** The sha-256 of a secret, which is enough for 256 random bits; passwords need scrypt. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** OWASP's parameters for 32 MB of memory; several sign-ins at once must not use up the memory of a small machine. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;

/** Maximum number of concurrent password checks. Each occupies a pool thread, which DNS lookups and file reads also need. */
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

/** A hash for unknown user names, so that their sign-in takes as long as one with a wrong password. */
const nobody = `${describe(cost)}$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`;

/**
 * Compares a password with a stored hash, using the stored parameters.
 * @returns `outdated` if it is right but should be rehashed with the present parameters
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
