import { z } from 'zod';
import type { Config } from './config.ts';
import { configSchema } from './schema.ts';

interface Described {
  /** Its whole name: accounts.north.fileSettle. */
  name: string;
  /** Null: a secret. */
  value: string | null;
}

/** The part of a JSON schema that says which settings are durations. */
interface Node {
  type?: string;
  anyOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
}

/** Settings that may hold a secret themselves, rather than name the variable that does. */
export const isSecretSetting = (name: string): boolean =>
  /^service\.dealers|(?:token|password|secret)$/i.test(name);

/** Then there is nothing to hide. */
const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

const units: [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
];

const asDuration = (ms: number): string => {
  // 90 s reads better than 1.5 m; 60s is how people write a minute.
  const [size, unit] = units.find(([size]) => ms % size === 0 && ms / size > 1) ?? [1, 'ms'];
  return ms === 0 ? '0s' : `${ms / size}${unit}`;
};

/** An address without the user, the password and the parameters that it may have: a parameter may be a secret. */
export const withoutCredentials = (text: string): string => {
  if (!/^\w+:\/\/[^?#]*[?@]/.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  const { search } = url;
  url.search = '';
  return search === '' ? url.href : `${url.href}?…`;
};

const describe = (value: unknown, node: Node | undefined, name: string): Described[] => {
  if (value === undefined || value === null) return [];
  if (isSecretSetting(name) && !isEmpty(value)) return [{ name, value: null }];
  if (typeof value === 'object' && !Array.isArray(value)) {
    const further = typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
    return Object.entries(value).flatMap(([key, inner]) =>
      describe(inner, node?.properties?.[key] ?? further, name === '' ? key : `${name}.${key}`),
    );
  }
  const isText = [node, ...(node?.anyOf ?? [])].some((one) => one?.type === 'string');
  if (typeof value === 'number' && isText) return [{ name, value: asDuration(value) }];
  if (typeof value === 'string') return [{ name, value: withoutCredentials(value) }];
  return [{ name, value: JSON.stringify(value) }];
};

/** The effective configuration, setting by setting, for admins. It has no secrets. */
export const describeSettings = ({
  settings,
  databaseUrl,
  redisUrl,
}: Pick<Config, 'settings' | 'databaseUrl' | 'redisUrl'>): Described[] => [
  ...describe(settings, z.toJSONSchema(configSchema, { io: 'input' }) as Node, ''),
  ...(databaseUrl === undefined ? [] : [{ name: 'DATABASE_URL', value: null }]),
  ...(redisUrl === undefined ? [] : [{ name: 'REDIS_URL', value: null }]),
];
