import type { Config } from './config.ts';
import { isTextNode, nodeWithin, type SettingNode, settingsNode, withoutSecrets } from './secret-settings.ts';

interface Described {
  /** Full name: accounts.north.fileSettle. */
  name: string;
  /** Null: a secret. */
  value: string | null;
  /** Whether the value equals the schema's default. */
  isDefault: boolean;
}

const units: [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
];

const asDuration = (ms: number): string => {
  // 90s reads better than 1.5m, and people write 60s for a minute.
  const [size, unit] = units.find(([size]) => ms % size === 0 && ms / size > 1) ?? [1, 'ms'];
  return ms === 0 ? '0s' : `${ms / size}${unit}`;
};

/** A value of one setting as text; null: a secret. */
const show = (value: unknown, node: SettingNode | undefined): string | null => {
  const shown = withoutSecrets(value, node, '…');
  if (typeof value === 'number' && isTextNode(node)) return asDuration(value);
  if (typeof shown === 'string') return shown === '…' && shown !== value ? null : shown;
  const text = JSON.stringify(shown);
  return text === JSON.stringify(value) ? text : null;
};

const describe = (value: unknown, node: SettingNode | undefined, name: string): Described[] => {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      describe(inner, nodeWithin(node, key), name === '' ? key : `${name}.${key}`),
    );
  }
  const shown = show(value, node);
  const isDefault = node?.default !== undefined && show(node.default, node) === shown;
  return [{ name, value: shown, isDefault }];
};

/** The effective configuration, setting by setting, for admins. It has no secrets. */
export const describeSettings = ({
  settings,
  databaseUrl,
  redisUrl,
}: Pick<Config, 'settings' | 'databaseUrl' | 'redisUrl'>): Described[] => [
  ...describe(settings, settingsNode(), ''),
  ...(databaseUrl === undefined ? [] : [{ name: 'DATABASE_URL', value: null, isDefault: false }]),
  ...(redisUrl === undefined ? [] : [{ name: 'REDIS_URL', value: null, isDefault: false }]),
];
