import { resolve } from 'node:path';
import type { ConsoleSettings } from './config.ts';
import type { Settings } from './schema.ts';

/** A sign-in ends after this time although it is used. */
const longestSessionMs = 7 * 86_400_000;

/**
 * The console's settings as the program uses them.
 * @param folder relative file names start here
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
    // What is larger goes into the inbox.
    uploads: { maxMb: 200 },
  };
};
