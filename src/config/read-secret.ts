import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The content of a file without the line break at its end; undefined if it is empty or cannot be read. */
export const readSecretFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch {
    return undefined;
  }
};

/** Names a secret: in an environment variable, or in a file. */
export interface SecretNames {
  secretEnv?: string | undefined;
  secretFile?: string | undefined;
}

/**
 * Reads a secret from the environment or from a file.
 * @param beside base folder of a relative path
 */
export const readSecret = (
  { secretEnv, secretFile }: SecretNames,
  beside: string,
  env: NodeJS.ProcessEnv,
): string | undefined => {
  if (secretFile !== undefined) return readSecretFile(resolve(beside, secretFile));
  return secretEnv === undefined ? undefined : env[secretEnv] || undefined;
};

/**
 * The source of a secret, as the beginning of a sentence.
 * @param setting common prefix of the two settings: `accounts.north.auth.secret` for `secretEnv` and `secretFile`
 */
export const sourceOf = ({ secretEnv, secretFile }: SecretNames, setting: string, beside: string): string =>
  secretFile === undefined
    ? `The environment variable ${secretEnv}, named by ${setting}Env,`
    : `The file ${resolve(beside, secretFile)}, named by ${setting}File,`;

/** Why a secret is missing, and what to do. @see sourceOf */
export const whyMissing = (names: SecretNames, setting: string, beside: string): string =>
  `${sourceOf(names, setting, beside)} ${names.secretFile === undefined ? 'is not set. Set it' : 'cannot be read or is empty. Put the secret into it'}, then start Cartwright again.`;

/** The names of all secrets in settings; the webhook address of a chat is one. Pure. */
export const secretNamesIn = (settings: object): SecretNames[] => {
  const { secretEnv, secretFile, urlEnv, urlFile, clientSecretEnv } = settings as Record<string, string>;
  return [
    { secretEnv, secretFile },
    { secretEnv: urlEnv, secretFile: urlFile },
    { secretEnv: clientSecretEnv },
    ...Object.values(settings).flatMap((one) => (one instanceof Object ? secretNamesIn(one) : [])),
  ];
};
