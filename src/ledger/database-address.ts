import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { checkServerIdentity } from 'node:tls';
import { messageOf, UserError } from '../errors.ts';

/** A database address without its user and password, for messages. */
export const placeOf = (url: string): string => {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    return 'the configured address';
  }
};

const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'uselibpqcompat'] as const;
const modes = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']);

const readPem = (parameter: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UserError(
      'database_address',
      `The file ${file} cannot be read (${messageOf(cause)}). Fix ${parameter}= in DATABASE_URL.`,
      { cause },
    );
  }
};

/** Like libpq, except that `prefer` and `allow` have no fallback: both mean no TLS. */
const tlsOf = (given: ReadonlyMap<string, string>, host: string): ConnectionOptions | false => {
  const old = given.get('ssl');
  const asked = given.get('sslmode') ?? (old === 'no-verify' ? 'require' : undefined);
  const mode =
    asked ?? (given.has('sslrootcert') || old === 'true' || old === '1' ? 'verify-full' : 'disable');
  if (!modes.has(mode)) {
    throw new UserError(
      'database_address',
      `sslmode=${mode} in DATABASE_URL is unknown. Use verify-full, verify-ca, require or disable.`,
    );
  }
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  const root = given.get('sslrootcert');
  const ca = root === undefined || root === 'system' ? undefined : readPem('sslrootcert', root);
  const [cert, key] = (['sslcert', 'sslkey'] as const).map((name) => {
    const file = given.get(name);
    return file === undefined ? undefined : readPem(name, file);
  });
  if (mode === 'verify-ca' && root === undefined) {
    throw new UserError(
      'database_address',
      'sslmode=verify-ca in DATABASE_URL needs the file of the certificate authority. Add sslrootcert=/path/ca.pem, or use sslmode=verify-full.',
    );
  }
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    rejectUnauthorized: mode !== 'require' || root !== undefined,
    // pg gives no host name to Node when the host is an IP address; Node would then compare with localhost.
    checkServerIdentity: (_name, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
};

/**
 * Splits a database address into what pg understands and its TLS parameters (libpq's names and meanings).
 *
 * @throws UserError `database_address`
 */
export const readDatabaseAddress = (
  address: string,
): { connectionString: string; ssl: ConnectionOptions | false } => {
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw new UserError(
      'database_address',
      'DATABASE_URL must look like postgres://USER:PASSWORD@HOST:5432/DATABASE. Special characters in the password must be percent-encoded.',
    );
  }
  if (/^\w+:\/\/(?:[^@/]*@)?[^/?]*,/.test(address)) {
    throw new UserError(
      'database_address',
      'DATABASE_URL names several hosts, and Cartwright connects to one. Use an address that always leads to the primary (a virtual IP, a DNS name, HAProxy or PgBouncer).',
    );
  }
  // pg also accepts forms without a host, which have no parameters of ours to read.
  if (!URL.canParse(address)) return { connectionString: address, ssl: false };
  const url = new URL(address);
  const given = new Map<string, string>();
  for (const name of tlsParameters) {
    const value = url.searchParams.get(name);
    if (value !== null) given.set(name, value);
    url.searchParams.delete(name);
  }
  return {
    connectionString: given.size > 0 ? url.href : address,
    ssl: tlsOf(given, url.searchParams.get('host') ?? url.hostname.replace(/^\[(.+)\]$/, '$1')),
  };
};
