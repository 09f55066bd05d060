import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  user: string | undefined;
  secure: boolean;
  /** Headers and body verbatim, without soft line breaks. */
  text: string;
}

/** A mail server on loopback with STARTTLS and its package's certificate. */
export const startMailServer = async (options: SMTPServerOptions & { refuse?: string } = {}) => {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right password' ? done(null, { user: username }) : done(new Error('Invalid login')),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (options.refuse !== undefined)
          return done(Object.assign(new Error(options.refuse), { responseCode: 554 }));
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          secure: session.secure,
          text: Buffer.concat(parts).toString('utf8').replaceAll('=\r\n', ''),
        });
        return done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    mails,
    port: (listening.address() as AddressInfo).port,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
};

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A web server on loopback that records posts to it, and answers as `answer` says. */
export const startHook = async (
  answer: (response: ServerResponse, posted: readonly Posted[]) => void = (response) => response.end('ok'),
) => {
  const posts: Posted[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    posts.push({ path: request.url!, headers: request.headers, body });
    answer(response, posts);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    posts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
