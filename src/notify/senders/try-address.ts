import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf, plainCause } from '../../errors.ts';

/**
 * Opens a connection to the host of a web address, with TLS for https, and sends no request. Returns why that failed, naming
 * only the host. Never throws.
 */
export const tryAddress = (url: string, limitMs: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { hostname, host, port, protocol } = new URL(url);
    const isTls = protocol === 'https:';
    const name = hostname.replace(/^\[|\]$/g, '');
    const to = { host: name, port: Number(port) || (isTls ? 443 : 80) };
    const socket: Socket = isTls ? connectTls({ ...to, servername: name }) : connect(to);
    const end = (why: string | undefined): void => {
      socket.destroy();
      resolve(why && `${host} cannot be reached: ${why}`);
    };
    socket.setTimeout(limitMs, () => end(`no answer within ${limitMs / 1000} s`));
    socket.once('error', (error) => {
      const inner = error instanceof AggregateError ? error.errors[0] : error;
      end(plainCause(messageOf(inner)));
    });
    socket.once(isTls ? 'secureConnect' : 'connect', () => end(undefined));
  });
