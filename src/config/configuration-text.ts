import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Config } from './config.ts';
import { isSecretSetting, withoutCredentials } from './describe-settings.ts';

const removed = 'REMOVED';

const withoutSecrets = (value: unknown, name: string): unknown => {
  if (value === null || value === undefined) return value;
  if (isSecretSetting(name)) return removed;
  if (typeof value === 'string') return withoutCredentials(value);
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, name));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      withoutSecrets(inner, name === '' ? key : `${name}.${key}`),
    ]),
  );
};

/** The configuration file as YAML, without comments and with its secrets replaced; null: there is no file. */
export const configurationText = ({ file }: Pick<Config, 'file'>): string | null =>
  file === undefined ? null : stringify(withoutSecrets(parse(readFileSync(file, 'utf8')) ?? {}, ''));
