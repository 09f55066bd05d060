import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connectSftp } from '../../src/sources/connect-sftp.ts';
import type { PlaceError } from '../../src/sources/file-place.ts';
import { openSftpPlace } from '../../src/sources/sftp-place.ts';
import type { SftpServer } from '../../src/sources/sftp-settings.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { startSshd } from '../support/sshd.ts';

const passphrase = 'open sesame 5f1c';
const sshd = await startSshd({ hostKeys: ['ed25519', 'rsa'], passphrase });
afterAll(() => sshd?.stop());

const refusalOf = async (server: SftpServer): Promise<PlaceError> => {
  try {
    await (await connectSftp(server)).close();
  } catch (thrown) {
    expect(thrown).toMatchObject({ name: 'PlaceError', reason: 'lost' });
    return thrown as PlaceError;
  }
  throw new Error('it was let in');
};

describe.skipIf(!sshd)('with sshd (skipped where it is not installed)', () => {
  const server = sshd?.server as SftpServer;

  test('gets in with the pinned key of any kind that the server has', async () => {
    const rsa = execFileSync('ssh-keygen', ['-lf', join(sshd!.root, '../host-rsa.pub')], {
      encoding: 'utf8',
    });
    for (const hostKey of [server.hostKeys[0]!, rsa.split(' ')[1]!]) {
      const pinned = { ...server, hostKeys: [hostKey] };
      // The second time, the key's kind is known.
      for (let time = 0; time < 2; time += 1) await (await connectSftp(pinned)).close();
    }
  });

  test('nothing is sent to a server with another host key, and the sentence says both keys', async () => {
    const other = `SHA256:${'A'.repeat(43)}`;
    const { code, message } = await refusalOf({ ...server, hostKeys: [other] });
    expect(code).toBe('sftp_host_key');
    expect(message).toContain(other);
    expect(message).toContain(server.hostKeys[0]!);
  });

  test('says whether the key was refused, or cannot be read; it never shows a part of it', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const refusals = {
      sftp_login: { privateKey, passphrase: undefined },
      sftp_key: { privateKey: 'BEGIN PRIVATE KEY nonsense', passphrase: undefined },
    };
    for (const [code, auth] of Object.entries(refusals)) {
      const refusal = await refusalOf({ ...server, auth: { kind: 'key', ...auth } });
      expect(refusal.code).toBe(code);
      expect(JSON.stringify(refusal) + refusal.message + refusal.stack).not.toContain(
        auth.privateKey.slice(0, 30),
      );
    }
    const own = { kind: 'key' as const, privateKey: readFileSync(sshd!.privateKeyFile, 'utf8') };
    for (const wrong of [undefined, 'not the one']) {
      const refusal = await refusalOf({ ...server, auth: { ...own, passphrase: wrong } });
      expect(refusal.code).toBe('sftp_key');
    }
  });

  test('a server that goes away ends what is running, in one sentence', async () => {
    const place = await openSftpPlace(server);
    await sshd!.kill();
    await expect(place.list('')).rejects.toMatchObject({ reason: 'lost', code: 'sftp_unreachable' });
    await place.close();
    expect((await refusalOf(server)).message).toContain('connection refused');
    await sshd!.start();
    await (await connectSftp(server)).close();
  });
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const startPasswordServer = async (methods: readonly ('password' | 'keyboard-interactive')[]) => {
  const started = await startSshServer({ methods, password: 'right password' });
  stops.push(started.stop);
  const settings = (password: string): SftpServer => ({
    ...{ host: '127.0.0.1', port: started.port, user: 'dealer', hostKeys: [started.fingerprint] },
    auth: { kind: 'password', password },
    timeoutMs: 10_000,
  });
  return { settings, tried: started.tried };
};

test.each(['password', 'keyboard-interactive'] as const)(
  'signs in with a password, where the server asks by %s',
  async (method) => {
    const { settings } = await startPasswordServer([method]);
    await (await connectSftp(settings('right password'))).close();
    const refusal = await refusalOf(settings('wrong password 5f1c'));
    expect(refusal).toMatchObject({ code: 'sftp_login' });
    expect(refusal.message).toContain('refused the user dealer with this password');
    expect(refusal.message + refusal.stack).not.toContain('wrong password 5f1c');
  },
);

test('the password is not sent to a server with another host key', async () => {
  const { settings, tried } = await startPasswordServer(['password']);
  const refusal = await refusalOf({ ...settings('right password'), hostKeys: [`SHA256:${'B'.repeat(43)}`] });
  expect(refusal.code).toBe('sftp_host_key');
  expect(tried).toEqual([]);
});

test('a server that says nothing is given up after the timeout, and so is one that is no SSH server', async () => {
  for (const greeting of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n']) {
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      if (greeting) socket.end(greeting);
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    stops.push(() => silent.close());
    const refusal = await refusalOf({
      ...{ host: '127.0.0.1', port: (silent.address() as AddressInfo).port, user: 'x', timeoutMs: 300 },
      hostKeys: [`SHA256:${'C'.repeat(43)}`],
      auth: { kind: 'password', password: 'x' },
    });
    expect(['sftp_unreachable', 'sftp_protocol']).toContain(refusal.code);
    expect(refusal.message).toContain('127.0.0.1:');
  }
});
