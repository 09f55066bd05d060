import type { AddressInfo } from 'node:net';
import { buildService, type Service, type ServiceDeps } from './build-service.ts';
import { CannotStart } from './cannot-start.ts';

/** A service that listens at `url`. */
export interface ListeningService extends Service {
  url: string;
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'another program is already listening there',
  EACCES: 'this user has no permission to listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

/**
 * Builds the service and listens as configured. If it throws, nothing is left running.
 * @throws CannotStart `port_taken`, `cannot_listen`, `catalogue_unreadable`; pg's errors if the database is unusable
 */
export const listenService = async (deps: ServiceDeps): Promise<ListeningService> => {
  const { host, port } = deps.config;
  const service = await buildService(deps);
  try {
    await service.app.listen({ host, port });
  } catch (thrown) {
    await service.stop();
    const code = (thrown as { code?: string }).code ?? '';
    const reason = reasons[code] ?? (thrown as Error).message;
    throw new CannotStart(
      code === 'EADDRINUSE' ? 'port_taken' : 'cannot_listen',
      `The dealer order service cannot listen on ${host} port ${port}: ${reason}. Choose another port or host.`,
      { cause: thrown },
    );
  }
  const address = service.app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { ...service, url: `http://${name}:${address.port}` };
};
