import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { readVariable } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { UserError } from '../errors.ts';
import { type Dealer, type ServiceConfig, serviceConfigSchema } from '../service/config.ts';

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

/** `readLagMs` as it is written on a command line: `read-lag-ms`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const placeholderOf = ({ type }: OptionSchema): string => {
  if (type === 'integer' || type === 'number') return ' <number>';
  if (type === 'boolean') return '';
  return type === 'string' ? ' <text>' : ' <json>';
};

/** Adds an option to a command for each switch of the service, with the schema's own words. */
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
    command.addOption(option);
  }
};

const readOption = (name: string, given: unknown): unknown => {
  const { type } = properties[name]!;
  if (typeof given !== 'string' || type === 'string') return given;
  // Not a number: the schema says so, and in its own words.
  if (type === 'integer' || type === 'number')
    return given.trim() === '' || Number.isNaN(Number(given)) ? given : Number(given);
  try {
    return JSON.parse(given);
  } catch (cause) {
    throw new UserError('bad_option', `--${kebab(name)} takes JSON: ${(cause as Error).message}`, { cause });
  }
};

const check = (settings: object): ServiceConfig => {
  const parsed = serviceConfigSchema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `  --${kebab(path.map(String).join('.'))}: ${message}`,
  );
  throw new UserError('service_config', `The service cannot be started like this:\n${lines.join('\n')}`);
};

const readToken = ({ name, tokenEnv }: Dealer): string => {
  const token = readVariable(tokenEnv!);
  if (token !== undefined) return token;
  throw new UserError(
    'secret_missing',
    `The dealer ${name} of the service has the tokenEnv ${tokenEnv}, an environment variable that is not set. Set it to the dealer's token.`,
  );
};

/**
 * The service's configuration: the `service` part of the configuration file, with the options of the command
 * line before it. A catalogue named in the file is looked for beside the file. Tokens are read from the variables that
 * dealers name; `exposed` says that one was given on the command line, which every user of the machine can read.
 *
 * @throws UserError `service_config`, naming each option that is wrong; `secret_missing`
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
    tokenEnv === undefined ? dealer : { ...dealer, token: readToken({ ...dealer, tokenEnv }) },
  );
  return {
    service: check({ ...named, dealers }),
    exposed: options.dealers !== undefined && named.dealers.some(({ token }) => token !== undefined),
  };
};
