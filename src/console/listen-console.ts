import { UserError } from '../errors.ts';
import { hasUsers } from '../ledger/console/users.ts';
import { isLoopback } from './access/own-site.ts';
import type { ConsoleDeps } from './console-app.ts';
import { createConsole } from './create-console.ts';

export interface ListeningConsole {
  /** The address for people. */
  url: string;
  /** The one-time link with which the first admin is made; undefined if there are users. */
  firstLink: string | undefined;
  /** The configured port is in use by another program, so it listens on a different one. */
  portTaken: boolean;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @throws UserError `console_exposed` if another machine could reach a console that is not protected */
const assertProtected = async ({ settings, pool }: ConsoleDeps): Promise<void> => {
  const { host, tls, trustProxy, publicUrl, openId } = settings;
  if (openId?.clientSecretEnv !== undefined && openId.clientSecret === undefined) {
    throw new UserError(
      'secret_missing',
      `The environment variable ${openId.clientSecretEnv} is not set. console.openId.clientSecretEnv names it as the one that holds the client secret.`,
    );
  }
  if (isLoopback(host)) return;
  const why = `Other machines can reach the console at console.host ${host}`;
  if (!tls && trustProxy.length === 0) {
    throw new UserError(
      'console_exposed',
      `${why}, so it needs TLS: set console.tls, or console.trustProxy to the address of the reverse proxy that ends TLS. Or set console.host to 127.0.0.1.`,
    );
  }
  if (publicUrl === undefined) {
    throw new UserError(
      'console_exposed',
      `${why}, so it must know its name: set console.publicUrl to the address under which people open it.`,
    );
  }
  if (!openId && !(await hasUsers(pool))) {
    throw new UserError(
      'console_exposed',
      `${why}, and it has no user yet. Add one first: \`cartwright users add NAME --role admin\`.`,
    );
  }
};

/**
 * Serves the console at its configured address. On loopback, uses a free port if the configured one is taken, because placing orders must
 * not depend on it.
 *
 * @throws UserError `console_exposed`, `secret_missing`, `port_taken`
 */
export const listenConsole = async (deps: ConsoleDeps): Promise<ListeningConsole> => {
  const { host, port, publicUrl, tls } = deps.settings;
  await assertProtected(deps);
  const { app, makeFirstLink } = await createConsole(deps);
  let portTaken = false;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' || !isLoopback(host)) {
      await app.close();
      if (code !== 'EADDRINUSE') throw error;
      throw new UserError(
        'port_taken',
        `Port ${port} of ${host} is used by another program. Set console.port.`,
      );
    }
    portTaken = true;
    await app.listen({ host, port: 0 });
  }
  const address = app.server.address() as { port: number };
  const own = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  const path = await makeFirstLink();
  return {
    url: publicUrl ?? own,
    firstLink: path === undefined || !isLoopback(host) ? undefined : `${own}${path}`,
    portTaken,
    stop: () => app.close(),
  };
};
