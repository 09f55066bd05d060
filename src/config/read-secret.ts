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

/** Where a secret is: in a variable of the environment, or in a file. */
export interface SecretNames {
  secretEnv?: string | undefined;
  secretFile?: string | undefined;
}

/**
 * A secret, from the environment or from a file.
 * @param beside a relative path starts here
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
 * Where a secret comes from, as the beginning of a sentence.
 * @param setting with the names, `accounts.north.auth.secret` of `secretEnv` and `secretFile`
 */
export const sourceOf = ({ secretEnv, secretFile }: SecretNames, setting: string, beside: string): string =>
  secretFile === undefined
    ? `The environment variable ${secretEnv}, named by ${setting}Env,`
    : `The file ${resolve(beside, secretFile)}, named by ${setting}File,`;

/** Why a secret is missing, and what to do. @see sourceOf */
export const whyMissing = (names: SecretNames, setting: string, beside: string): string =>
  `${sourceOf(names, setting, beside)} ${names.secretFile === undefined ? 'is not set. Set it' : 'cannot be read or is empty. Put the secret into it'}, then start Cartwright again.`;

/** Where all secrets of settings are. The webhook's address of a chat is one. Pure. */
export const secretNamesIn = (settings: object): SecretNames[] => {
  const { secretEnv, secretFile, urlEnv, urlFile, clientSecretEnv } = settings as Record<string, string>;
  return [
    { secretEnv, secretFile },
    { secretEnv: urlEnv, secretFile: urlFile },
    { secretEnv: clientSecretEnv },
    ...Object.values(settings).flatMap((one) => (one instanceof Object ? secretNamesIn(one) : [])),
  ];
};
