import { resolve } from 'node:path';
import type { ConsoleSettings } from './config.ts';
import type { Settings } from './schema.ts';

/** A session ends after this time even if it is used. */
const longestSessionMs = 7 * 86_400_000;

/**
 * Converts the console's settings to the form that the program uses.
 * @param folder base folder of relative file names
 */
export const buildConsole = (
  settings: Settings['console'],
  folder: string,
  env: NodeJS.ProcessEnv,
): ConsoleSettings => {
  const { host, port, publicUrl, tls, trustProxy, session, openId, queues } = settings;
  return {
    host,
    port,
    publicUrl,
    tls: tls && { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) },
    trustProxy,
    session: { idleMs: session.idle, absoluteMs: longestSessionMs },
    openId: openId && {
      ...openId,
      clientSecret:
        openId.clientSecretEnv === undefined ? undefined : env[openId.clientSecretEnv] || undefined,
    },
    queues,
    // Larger files must be put into the inbox.
    uploads: { maxMb: 200 },
  };
};
