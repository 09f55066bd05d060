import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import type { PauseCode } from '../../src/placing/service-causes.ts';
import { makeCertificates } from './certificates.ts';

/** Addresses with one fault each, by cause. `ca`: a trusted authority. */
export const startFaultyAddresses = async (folder: string) => {
  const { ca, key, certificate } = await makeCertificates(folder);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const signed = async (name: string, names: string, days: number, by = ['ca.pem', 'ca.key']) => {
    await writeFile(join(folder, `${name}.names`), `subjectAltName=${names}\n`);
    openssl(
      ...['x509', '-req', '-in', 'server.csr', '-CA', by[0]!, '-CAkey', by[1]!, '-CAcreateserial'],
      ...['-days', String(days), '-extfile', `${name}.names`, '-out', `${name}.pem`],
    );
    return join(folder, `${name}.pem`);
  };
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
    ...['-keyout', 'other-ca.key', '-out', 'other-ca.pem', '-subj', '/CN=Another authority'],
  );
  const expired = await signed('expired', 'IP:127.0.0.1', 0);
  const other = await signed('other', 'DNS:orders.example', 2);
  const untrusted = await signed('untrusted', 'IP:127.0.0.1', 2, ['other-ca.pem', 'other-ca.key']);

  const servers: Server[] = [];
  const listen = async (server: Server, scheme: string): Promise<string> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const plain = (answer: RequestListener, scheme = 'http') => listen(createServer(answer), scheme);
  const secure = (cert: string) =>
    listen(
      createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, () => {}),
      'https',
    );
  const says =
    (status: number, type: string, body: string, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  const json = (status: number, headers = {}) => plain(says(status, 'application/json', '{}', headers));
  const closed = createServer();
  const refused = await listen(closed, 'http');
  closed.close();

  const addresses = {
    host_unknown: 'https://orders.invalid',
    connection_refused: refused,
    certificate_expired: await secure(expired),
    certificate_untrusted: await secure(untrusted),
    certificate_of_another_host: await secure(other),
    tls_failed: await plain(says(200, 'application/json', '{}'), 'https'),
    not_answering: await json(500),
    credential_refused: await json(401),
    proxy_sign_in: await json(407),
    web_page: await plain(says(200, 'text/html', '<!doctype html><title>Sign in</title>')),
    redirected: await json(302, { location: 'https://orders.example/' }),
    not_this_service: await json(405),
    rate_limited: await json(429, { 'retry-after': '600' }),
  } satisfies Partial<Record<PauseCode, string>>;
  return {
    addresses,
    ca,
    certificate,
    stop: () => {
      for (const server of servers) server.close();
    },
  };
};
