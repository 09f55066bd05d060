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

/**
 * The secret of an account, from the environment or from a file.
 * @param beside a relative path starts here
 */
export const readSecret = (
  { secretEnv, secretFile }: { secretEnv?: string | undefined; secretFile?: string | undefined },
  beside: string,
  env: NodeJS.ProcessEnv,
): string | undefined => {
  if (secretFile !== undefined) return readSecretFile(resolve(beside, secretFile));
  return secretEnv === undefined ? undefined : env[secretEnv] || undefined;
};
