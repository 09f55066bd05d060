import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';

/**
 * A server from the client's own library, for password logins, which sshd does not support without root. It has no files.
 */
export const startSshServer = async ({
  methods,
  password,
}: {
  methods: readonly ('password' | 'keyboard-interactive')[];
  /** Undefined: refuses all passwords. */
  password?: string;
}): Promise<{
  port: number;
  fingerprint: string;
  /** The sign-in methods that clients tried. */
  tried: string[];
  /** The passwords that they sent. */
  heard: string[];
  stop(): Promise<void>;
}> => {
  // ssh2 cannot read some of the keys that it generates.
  const hostKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs1',
    format: 'pem',
  });
  const parsed = ssh2.utils.parseKey(hostKey) as ssh2.ParsedKey;
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64');
  const fingerprint = `SHA256:${digest.replace(/=+$/, '')}`;
  const tried: string[] = [];
  const heard: string[] = [];
  const clients = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => {});
    client.on('authentication', (context) => {
      tried.push(context.method);
      const decide = (given: string | undefined): void => {
        heard.push(given ?? '');
        if (given === password) context.accept();
        else context.reject([...methods]);
      };
      if (context.method === 'password' && methods.includes('password')) decide(context.password);
      else if (context.method === 'keyboard-interactive' && methods.includes('keyboard-interactive'))
        context.prompt([{ prompt: 'Password:', echo: false }], ([given]) => decide(given));
      else context.reject([...methods]);
    });
    client.on('ready', () =>
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => void acceptSftp());
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint,
    tried,
    heard,
    stop: async () => {
      for (const client of clients) client.end();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
};
