import { z } from 'zod';
import { configSchema } from '../../src/config/schema.ts';

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  default?: unknown;
  description?: string;
}

export interface Setting {
  /** Its path in the file: `accounts.NAME.schedule.poll`. */
  key: string;
  default: string;
  description: string;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const settingsOf = (schema: Schema, key: string): Setting[] => {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      settingsOf(inner, key === '' ? name : `${key}.${name}`),
    );
  }
  if (key === 'accounts' || key === 'notifications.routes')
    return settingsOf(schema.additionalProperties as Schema, `${key}.NAME`);
  const shown = schema.default === undefined || isEmpty(schema.default) ? '' : JSON.stringify(schema.default);
  const values = schema.enum?.map((value) => `\`${value}\``).join(', ');
  const description = [schema.description, values && `One of ${values}.`].filter(Boolean).join(' ');
  return [{ key, default: shown.replaceAll('"', ''), description }];
};

/** Every setting of cartwright.yaml, from its schema. */
export const listSettings = (): Setting[] =>
  settingsOf(z.toJSONSchema(configSchema, { io: 'input' }) as Schema, '');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The settings that `isShown` picks, as a Markdown table. */
export const settingsTable = (isShown: (key: string) => boolean): string =>
  [
    '| setting | default | meaning |',
    '|---|---|---|',
    ...listSettings()
      .filter(({ key }) => isShown(key))
      .map(
        (setting) =>
          `| \`${setting.key}\` | ${setting.default === '' ? '' : `\`${cell(setting.default)}\``} | ${cell(setting.description)} |`,
      ),
  ].join('\n');
