import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A new certificate authority and a certificate for `localhost` and 127.0.0.1, in files that servers can read. */
export const makeCertificates = async (folder: string) => {
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority');
  openssl('req', ...key.slice(0, 3), '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  await writeFile(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...by, '-out', 'server.pem');
  await chmod(file('server.key'), 0o600);
  return { ca: file('ca.pem'), key: file('server.key'), certificate: file('server.pem') };
};
