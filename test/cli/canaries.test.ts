import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { hasProgram } from '../engines/redis.ts';
import { startMailServer } from '../notify/receivers.ts';
import { makeCertificates } from '../support/certificates.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { startCollector } from '../tracing/collector.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

const canaries = {
  NORTH_TOKEN: 'canary-of-north-5f1c',
  SOUTH_PASSWORD: 'canary of south/5f1c?',
  OPENID_SECRET: 'canary-of-openid-5f1c',
  NORTH_SFTP: 'canary-of-north-sftp-5f1c',
  SOUTH_PASSPHRASE: 'canary-of-a-passphrase-5f1c',
  HOOK_SECRET: 'canary-of-the-webhook-5f1c',
};
/** Secrets in files. */
const filed = { mail: 'canary-of-mail-5f1c', chat: 'canary-of-the-chat-5f1c' };
/** Token of the traces' collector. */
const collectorToken = 'canary-of-the-collector-5f1c';
const dealerToken = 'canary-of-the-service-5f1c';

/** A service that repeats the request in each refusal, like careless ones. */
const serveEcho = async (): Promise<{ url: string; heard: Set<string> }> => {
  const heard = new Set<string>();
  const server = createServer((request, response) => {
    heard.add(request.headers.authorization ?? '');
    const isLookup = request.method === 'GET' && !request.url?.startsWith('/orders?');
    const status = isLookup ? 404 : request.method === 'GET' ? 500 : 422;
    const said = `You sent ${request.url} with ${JSON.stringify(request.headers)}`;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message: said }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
};

/** A mail server with a certificate of its own authority, which repeats the password that it refuses. */
const serveMail = async (): Promise<{ port: number; ca: string }> => {
  const { ca, key, certificate } = await makeCertificates(cli.folder);
  const server = await startMailServer({
    ...{ key: await readFile(key), cert: await readFile(certificate), authOptional: false },
    onAuth: ({ username, password }, _session, done) =>
      done(new Error(`${username} may not use ${password} here`)),
  });
  onTestFinished(server.stop);
  return { port: server.port, ca };
};

/** Every file below a folder, as bytes in one text. */
const readAll = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
};

test.runIf(hasProgram('openssl'))(
  'no secret of the configuration is in logs, metrics, errors, answers, files, traces or what doctor shows',
  async () => {
    const service = await serveEcho();
    // This server refuses every password and every key.
    const sftp = await startSshServer({ methods: ['password'] });
    onTestFinished(() => sftp.stop());
    const keyFile = join(cli.folder, 'south-key');
    const encrypted = { passphrase: canaries.SOUTH_PASSPHRASE, cipher: 'aes256-cbc', rounds: 16 };
    await writeFile(keyFile, ssh2.utils.generateKeyPairSync('ed25519', encrypted).private);
    const sftpOf = (auth: object) => ({
      ...{ host: '127.0.0.1', port: sftp.port, user: 'dealer', hostKey: sftp.fingerprint },
      ...{ auth, every: '1s', fetch: { folder: 'orders' } },
    });
    const [port, healthPort] = [await findFreePort(), await findFreePort()];
    const mail = await serveMail();
    await cli.write('mail-secret', `${filed.mail}\n`);
    await cli.write('chat-secret', `http://127.0.0.1:1/${filed.chat}\n`);
    await cli.write(
      'cartwright.yaml',
      JSON.stringify({
        dataFolder: 'data',
        log: { level: 'debug' },
        console: {
          port,
          publicUrl: `http://localhost:${port}`,
          openId: { issuer: 'http://127.0.0.1:1', clientId: 'cartwright', clientSecretEnv: 'OPENID_SECRET' },
        },
        health: { port: healthPort },
        notifications: {
          smtp: {
            ...{ host: '127.0.0.1', port: mail.port, ca: mail.ca },
            ...{ user: 'cartwright', secretFile: 'mail-secret', from: 'cartwright@example.com' },
          },
          routes: {
            mail: { kind: 'email', to: ['ops@example.com'] },
            chat: { kind: 'slack', urlFile: 'chat-secret' },
            hook: { kind: 'webhook', url: `${service.url}/hook`, secretEnv: 'HOOK_SECRET' },
          },
        },
        service: { dealers: [{ name: 'north', token: dealerToken }] },
        accounts: {
          north: {
            baseUrl: service.url,
            auth: { kind: 'bearer', secretEnv: 'NORTH_TOKEN' },
            sftp: sftpOf({ kind: 'password', secretEnv: 'NORTH_SFTP' }),
          },
          south: {
            baseUrl: service.url,
            auth: { kind: 'basic', user: 'south', secretEnv: 'SOUTH_PASSWORD' },
            sftp: sftpOf({
              ...{ kind: 'key', secretFile: 'south-key' },
              passphrase: { secretEnv: 'SOUTH_PASSPHRASE' },
            }),
          },
        },
      }),
    );
    const heard: string[] = [];
    const collector = await startCollector();
    const traced = {
      ...canaries,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces?token=${collectorToken}`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-token=${collectorToken}`,
    };
    const up = cli.start(['up'], traced);
    await up.printed('Press Ctrl-C');
    const work = cli.start(['work', '--verbose'], traced);
    await work.printed('Working.');
    for (const account of ['north', 'south']) {
      const inbox = join(cli.folder, 'data/accounts', account, 'inbox');
      await mkdir(inbox, { recursive: true });
      await writeFile(join(inbox, 'orders.tmp'), `PO Number,SKU,Qty\n${account}-1,A-1,2\n`);
      await writeFile(join(inbox, 'orders.csv.done'), '');
      await rename(join(inbox, 'orders.tmp'), join(inbox, 'orders.csv'));
    }
    const stateOf = async (po: string): Promise<string> => {
      const { out } = await cli.start(['status', po, '--json'], canaries).ended;
      heard.push(out);
      return JSON.parse(out).purchaseOrders?.[0]?.state ?? 'unknown';
    };
    // The reason is the refusal of the cart, which repeats the request.
    await expect.poll(() => stateOf('north-1'), { timeout: 60_000 }).toBe('failed');
    await expect.poll(() => stateOf('south-1'), { timeout: 60_000 }).toBe('failed');

    // The mail server repeats the password that it refuses; nothing listens at the chat's address.
    const routes = async (): Promise<string> => {
      const { out } = await cli.start(['status', '--json'], canaries).ended;
      heard.push(out);
      return out;
    };
    await expect.poll(routes, { timeout: 60_000 }).toContain('refuses the user cartwright');
    await expect.poll(routes, { timeout: 60_000 }).toMatch(/connection refused|cannot be reached/);
    heard.push(JSON.stringify(await cli.start(['notify', '--test', '--verbose'], canaries).ended));

    await expect.poll(() => sftp.heard, { timeout: 60_000 }).toContain(canaries.NORTH_SFTP);
    await expect.poll(() => sftp.tried, { timeout: 60_000 }).toContain('publickey');

    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    expect(metrics).toContain('cartwright_purchase_orders{account="north",state="failed"} 1');
    heard.push(metrics);
    for (const path of ['healthz', 'readyz', 'metrics', 'api/v1/session', 'api/v1/accounts', 'nothing'])
      heard.push(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text());
    for (const args of [['poll'], ['status'], ['status', '--check', '--json'], ['status', 'south-1']])
      heard.push(JSON.stringify(await cli.start([...args, '--verbose'], traced).ended));
    for (const args of [[], ['--json'], ['--verbose']]) {
      const { out, err, exitCode } = await cli.start(['doctor', ...args], canaries).ended;
      expect(exitCode).toBe(1);
      heard.push(out, err);
    }
    for (const running of [up, work]) {
      running.child.kill('SIGTERM');
      heard.push(JSON.stringify(await running.ended));
    }
    heard.push(await readAll(join(cli.folder, 'data')), ...collector.bodies);
    expect(collector.headers[0]).toMatchObject({ 'x-token': collectorToken });
    expect(collector.spans().map(({ facts }) => facts)).toContainEqual(
      expect.objectContaining({ 'cartwright.call': 'createCart', 'cartwright.result': 'refused' }),
    );

    const everything = heard.join('\n');
    // Proof that the search is meaningful: the secrets were sent, and the refusals are shown.
    expect(service.heard).toContain(`Bearer ${canaries.NORTH_TOKEN}`);
    expect(everything).toContain('You sent /carts');
    expect(everything).toContain('refused the user dealer with this password');
    expect(everything).toContain('refused the user dealer with this private key');
    const keyLines = (await readFile(keyFile, 'utf8'))
      .split('\n')
      .filter((line) => /^[\w+/=]{20,}$/.test(line));
    expect(keyLines.length).toBeGreaterThan(2);
    const basic = Buffer.from(`south:${canaries.SOUTH_PASSWORD}`).toString('base64');
    const databasePassword = new URL(cli.databaseUrl).password;
    expect(databasePassword.length).toBeGreaterThan(8);
    const secrets = [
      ...Object.values(canaries),
      ...Object.values(filed),
      ...keyLines,
      dealerToken,
      collectorToken,
      basic,
      databasePassword,
    ];
    const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
    expect(forms.filter((form) => everything.includes(form))).toEqual([]);
  },
);
