import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { readVariable } from '../config/load-config.ts';
import { listSettingErrors, settingErrors } from '../config/setting-errors.ts';
import { messageOf, UserError } from '../errors.ts';
import { type ServiceConfig, serviceConfigOf, serviceConfigSchema } from '../service/config.ts';
import { badOption, kebab, readNumber } from './option-text.ts';

interface OptionSchema {
  type?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
}

const properties = (z.toJSONSchema(serviceConfigSchema, { io: 'input' }).properties ?? {}) as Record<
  string,
  OptionSchema
>;

const placeholderOf = ({ type }: OptionSchema): string => {
  if (type === 'integer' || type === 'number') return ' <number>';
  if (type === 'boolean') return '';
  return type === 'string' ? ' <text>' : ' <json>';
};

/** The most common options; `--help` shows only these, `--help-all` all. */
const shownFirst: ReadonlySet<string> = new Set(['port', 'catalogue']);

/** Adds an option to the command for each setting of the service, with the schema's description. */
export const addServiceOptions = (command: Command): void => {
  for (const [name, schema] of Object.entries(properties)) {
    const shownDefault =
      schema.default === undefined || schema.type === 'boolean'
        ? ''
        : ` (default: ${JSON.stringify(schema.default)})`;
    const option = new Option(
      `--${kebab(name)}${placeholderOf(schema)}`,
      `${schema.description ?? ''}${shownDefault}`,
    );
    if (schema.enum) option.choices(schema.enum);
    command.addOption(option.hideHelp(!shownFirst.has(name)));
  }
  const count = Object.keys(properties).length;
  command
    .option('--help-all', `show all ${count} options, also those for tests of programs`)
    .on('option:help-all', () => {
      for (const option of command.options) option.hideHelp(false);
      command.help();
    });
};

const readOption = (name: string, given: unknown): unknown => {
  const { type } = properties[name]!;
  if (typeof given !== 'string' || type === 'string') return given;
  if (type === 'integer' || type === 'number') return readNumber(given);
  try {
    return JSON.parse(given);
  } catch (cause) {
    throw badOption(`--${kebab(name)} must be JSON: ${messageOf(cause)}`, { cause });
  }
};

/** `faults.0.kind` in terms of the command line: `--faults, rule 1, kind`. */
const describeOption = (name: string): string => {
  const [option, at, ...rest] = name.split('.');
  const entry = at !== undefined && /^\d+$/.test(at);
  const parts = [
    `--${kebab(option!)}`,
    ...(entry
      ? [`${option === 'faults' ? 'rule' : 'entry'} ${Number(at) + 1}`]
      : at === undefined
        ? []
        : [at]),
    ...rest,
  ];
  return parts.join(', ');
};

const check = (settings: object) => {
  const parsed = serviceConfigSchema.safeParse(settings, { error: settingErrors });
  if (parsed.success) return parsed.data;
  const lines = listSettingErrors(settings, parsed.error).map(
    ({ name, message }) => `  ${describeOption(name)}: ${message}`,
  );
  throw new UserError(
    'service_config',
    `The service cannot start with these options:\n${lines.join('\n')}\nRun \`cartwright service --help\` to see them explained.`,
  );
};

const readToken = (variable: string, namedBy: string): string => {
  const token = readVariable(variable);
  if (token !== undefined) return token;
  throw new UserError(
    'secret_missing',
    `The environment variable ${variable}, named by ${namedBy}, is not set. Set it to the token.`,
  );
};

/**
 * The service's configuration: the `service` part of the configuration file, overridden by the command line. A relative
 * path of a catalogue in the file is relative to the file. Tokens are read from the variables that dealers name;
 * `exposed` is true if a token was given on the command line, where every user of the machine can read it.
 *
 * @throws UserError `service_config`, naming each wrong option; `secret_missing`
 */
export const readServiceOptions = (
  config: Config,
  options: Record<string, unknown>,
): { service: ServiceConfig; exposed: boolean } => {
  const fromFile = { ...config.service };
  if (config.file !== undefined && fromFile.catalogue !== 'any') {
    fromFile.catalogue = resolve(dirname(config.file), fromFile.catalogue);
  }
  const given = Object.entries(options).filter(([name, value]) => name in properties && value !== undefined);
  const named = check({
    ...fromFile,
    ...Object.fromEntries(given.map(([name, value]) => [name, readOption(name, value)])),
  });
  const dealers = named.dealers.map(({ tokenEnv, ...dealer }) =>
    tokenEnv === undefined
      ? dealer
      : { ...dealer, token: readToken(tokenEnv, `tokenEnv of the dealer ${dealer.name}`) },
  );
  const adminToken = named.adminTokenEnv === '' ? '' : readToken(named.adminTokenEnv, 'adminTokenEnv');
  return {
    service: serviceConfigOf(check({ ...named, dealers }), { adminToken }),
    exposed: options.dealers !== undefined && named.dealers.some(({ token }) => token !== undefined),
  };
};
