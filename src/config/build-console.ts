import { resolve } from 'node:path';
import type { ConsoleSettings } from './config.ts';
import type { Settings } from './schema.ts';

/**
 * The console's settings as the program uses them.
 * @param folder relative file names start here
 */
export const buildConsole = (
  settings: Settings['console'],
  folder: string,
  env: NodeJS.ProcessEnv,
): ConsoleSettings => {
  const { host, port, publicUrl, tls, trustProxy, session, openId, queues, uploads } = settings;
  return {
    host,
    port,
    publicUrl,
    tls: tls && { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) },
    trustProxy,
    session: { idleMs: session.idle, absoluteMs: session.absolute },
    openId: openId && {
      ...openId,
      clientSecret:
        openId.clientSecretEnv === undefined ? undefined : env[openId.clientSecretEnv] || undefined,
    },
    queues,
    uploads,
  };
};
