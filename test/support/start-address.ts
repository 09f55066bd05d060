import { once } from 'node:events';
import net from 'node:net';

/** An address that forwards to a server on this machine, like a virtual IP address or a proxy. */
export interface Address {
  port: number;
  /** Breaks all connections and refuses new ones, as if the server were stopped. */
  cut(): void;
  /** Accepts connections again. */
  restore(): Promise<void>;
  /** Keeps connections open and accepts new ones, but forwards nothing until it is thawed, as if the server were frozen. */
  freeze(): void;
  thaw(): void;
  stop(): void;
}

/** @param target returns the server's port; called for each connection */
export const startAddress = async (target: () => number): Promise<Address> => {
  const open = new Set<net.Socket>();
  let server: net.Server;
  let isFrozen = false;
  const links = new Set<readonly [net.Socket, net.Socket]>();
  const listen = async (port: number): Promise<void> => {
    server = net.createServer((client) => {
      const there = net.connect(target(), '127.0.0.1');
      for (const [one, other] of [
        [client, there],
        [there, client],
      ] as const) {
        open.add(one);
        const link = [one, other] as const;
        links.add(link);
        if (!isFrozen) one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          open.delete(one);
          links.delete(link);
          other.destroy();
        });
      }
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server!.address() as net.AddressInfo;
  const cut = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    cut,
    restore: () => listen(port),
    freeze: () => {
      isFrozen = true;
      for (const [one, other] of links) one.unpipe(other).pause();
    },
    thaw: () => {
      // Piped twice, each byte would arrive twice.
      if (!isFrozen) return;
      isFrozen = false;
      for (const [one, other] of links) one.pipe(other);
    },
    stop: cut,
  };
};
