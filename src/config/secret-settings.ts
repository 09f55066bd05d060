import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The part of a JSON schema that describes a setting. */
export interface SettingNode {
  type?: string;
  format?: string;
  /** Set by `.meta({ secret: true })`. */
  secret?: boolean;
  default?: unknown;
  anyOf?: SettingNode[];
  oneOf?: SettingNode[];
  items?: SettingNode;
  properties?: Record<string, SettingNode>;
  additionalProperties?: SettingNode | boolean;
}

let rootNode: SettingNode | undefined;

/** Adds secrets that are no longer settings, because a file may still have them. */
export const withSecretsOfBefore = (root: SettingNode): SettingNode => {
  const { service } = root.properties!;
  const properties = { ...service!.properties, adminToken: { type: 'string', secret: true } };
  return { ...root, properties: { ...root.properties, service: { ...service, properties } } };
};

/** The schema of the whole file. */
export const settingsNode = (): SettingNode => {
  rootNode ??= z.toJSONSchema(configSchema, { io: 'input', reused: 'inline' }) as SettingNode;
  return rootNode;
};

const kindsOf = (node: SettingNode | undefined): SettingNode[] =>
  node === undefined ? [] : [node, ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap(kindsOf)];

/** The schema of a setting within another one, if any. */
export const nodeWithin = (node: SettingNode | undefined, name: string): SettingNode | undefined => {
  for (const { properties, additionalProperties } of kindsOf(node)) {
    if (properties && Object.hasOwn(properties, name)) return properties[name];
    if (typeof additionalProperties === 'object') return additionalProperties;
  }
  return undefined;
};

const itemOf = (node: SettingNode | undefined): SettingNode | undefined =>
  kindsOf(node).find(({ items }) => items !== undefined)?.items;

const hasKind = (node: SettingNode | undefined, fits: (kind: SettingNode) => boolean): boolean =>
  kindsOf(node).some(fits);

/** Whether a number can be given as text, such as a duration. */
export const isTextNode = (node: SettingNode | undefined): boolean =>
  hasKind(node, ({ type }) => type === 'string');

/** An address without user, password and parameters, because a parameter may be a secret. */
const withoutCredentials = (text: string, instead: string): string => {
  if (!/^\w+:\/\/[^?#]*[?@]/.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const hadUser = url.username !== '' || url.password !== '';
  url.username = '';
  url.password = '';
  const hadQuery = url.search !== '';
  url.search = '';
  return hadQuery || hadUser ? `${url.href}?${instead}` : url.href;
};

/** Replaces everything in a setting's value that the schema marks as secret. Pure. */
export const withoutSecrets = (value: unknown, node: SettingNode | undefined, instead: string): unknown => {
  if (value === null || value === undefined || value === '') return value;
  if (hasKind(node, ({ secret }) => secret === true)) return instead;
  if (typeof value === 'string')
    return hasKind(node, ({ format }) => format === 'uri') ? withoutCredentials(value, instead) : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, itemOf(node), instead));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, nodeWithin(node, key), instead)]),
  );
};

/** Replaces secrets in the configuration of a backup. A file that contains it is refused. */
export const removedMark = 'REMOVED-FROM-THE-BACKUP';

/** The names of settings to fill in after a restore. Pure. */
export const listRemoved = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return value.includes(removedMark) ? [name] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    listRemoved(inner, name === '' ? key : `${name}.${key}`),
  );
};
