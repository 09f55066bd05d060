import { readFileSync } from 'node:fs';
import type { RedisOptions } from 'ioredis';
import { messageOf, UserError } from '../errors.ts';

/** Address and login of the queue's Redis. Contains passwords: never log it. */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster';
  /** The server; or some of the Sentinels; or some of the cluster's nodes. */
  nodes: { host: string; port: number }[];
  /** The server's name in Sentinel. */
  name: string;
  login: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls' | 'path' | 'family'>;
  sentinelLogin: { username?: string; password?: string };
  /** The addresses, for messages. */
  place: string;
}

const forms =
  'redis://USER:PASSWORD@HOST:6379/0, rediss://… (with TLS), redis+sentinel://USER:PASSWORD@HOST:26379,HOST:26379/NAME, or redis+cluster://USER:PASSWORD@HOST:6379,HOST:6379';

const mistake = (what: string, cause?: unknown): UserError =>
  new UserError('queue_address', `${what} REDIS_URL must look like ${forms}.`, { cause });

const shape =
  /^(?<scheme>redis|rediss)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

const decode = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw mistake('A % in REDIS_URL must be written as %25.');
  }
};

const readNode = (text: string, defaultPort: number): { host: string; port: number } => {
  const found = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text.trim());
  const port = Number(found?.[3] ?? defaultPort);
  if (!found || port < 1 || port > 65_535) {
    throw mistake(
      'A host in REDIS_URL cannot be read (special characters in user and password must be percent-encoded).',
    );
  }
  return { host: (found[1] ?? found[2])!, port };
};

const readAuthority = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UserError(
      'queue_address',
      `The file ${file} cannot be read (${messageOf(cause)}). Fix ca= in REDIS_URL.`,
      { cause },
    );
  }
};

const parameters = new Set(['ca', 'db', 'family', 'sentinelUser', 'sentinelPassword']);

/**
 * Reads REDIS_URL.
 * @throws UserError `queue_address`
 */
export const readRedisAddress = (address: string): RedisAddress => {
  const path = /^(?:unix:\/\/)?(\/.+)$/.exec(address)?.[1];
  if (path !== undefined) {
    return { kind: 'server', nodes: [], name: '', login: { path }, sentinelLogin: {}, place: path };
  }
  const parts = shape.exec(address)?.groups;
  if (!parts) {
    throw mistake(
      'REDIS_URL cannot be read (special characters in user and password must be percent-encoded).',
    );
  }
  const kind = (parts.kind as RedisAddress['kind'] | undefined) ?? 'server';
  const nodes = parts.hosts!.split(',').map((text) => readNode(text, kind === 'sentinel' ? 26_379 : 6379));
  const query = new URLSearchParams(parts.query ?? '');
  const unknown = [...query.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined)
    throw mistake(
      `REDIS_URL has the unknown parameter ${unknown} (known: ${[...parameters].sort().join(', ')}).`,
    );
  if (kind === 'server' && nodes.length > 1) throw mistake('REDIS_URL names several hosts.');
  const rest = decode(parts.path) ?? '';
  const name = kind === 'sentinel' ? rest : '';
  if (kind === 'sentinel' && name === '') {
    throw mistake('REDIS_URL lacks the name by which Sentinel knows the server, such as mymaster.');
  }
  const db = query.get('db') ?? (kind === 'server' && rest !== '' ? rest : '0');
  if (!/^\d+$/.test(db) || (kind === 'cluster' && (db !== '0' || rest !== ''))) {
    throw mistake('The database number in REDIS_URL cannot be used (a cluster has only 0).');
  }
  const ca = query.get('ca');
  const family = query.get('family');
  // Sentinel answers only a server's address, but its certificate may name any of the hosts.
  const tls = parts.scheme === 'rediss' ? { tls: ca === null ? {} : { ca: readAuthority(ca) } } : {};
  const username = decode(parts.user);
  const password = decode(parts.password);
  const sentinelUser = query.get('sentinelUser');
  const sentinelPassword = query.get('sentinelPassword');
  return {
    kind,
    nodes,
    name,
    login: {
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(db === '0' ? {} : { db: Number(db) }),
      ...(family === null ? {} : { family: Number(family) }),
      ...tls,
    },
    sentinelLogin: {
      ...(sentinelUser === null ? {} : { username: sentinelUser }),
      ...(sentinelPassword === null ? {} : { password: sentinelPassword }),
    },
    place: nodes.map(({ host, port }) => `${host}:${port}`).join(','),
  };
};
