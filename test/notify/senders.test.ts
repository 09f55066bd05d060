import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sectionsOf } from '../../src/notify/plan-messages.ts';
import { sendMessage } from '../../src/notify/send-message.ts';
import { sendWebhook, signatureOf } from '../../src/notify/senders/send-webhook.ts';
import type { Route, SmtpSettings } from '../../src/notify/settings.ts';
import type { Message } from '../../src/notify/types.ts';
import { hasProgram } from '../engines/redis.ts';
import { makeCertificates } from '../support/certificates.ts';
import { startHook, startMailServer } from './receivers.ts';

const canary = 'canary-5f1c-secret';
const settings = { consoleUrl: undefined, secrets: [canary] };
const message = (subject = 'PO-1', detail = 'backorder'): Message => ({
  id: randomUUID(),
  createdAt: new Date(),
  sections: sectionsOf([
    {
      ...{ id: '1', at: new Date(), kind: 'po_held', account: 'north', subject, detail },
      ...{ purchaseOrderId: null, importId: null },
    },
  ]),
});
const routeTo = (channel: Route['channel']): Route => ({
  ...{ name: 'ops', channel, accounts: undefined, severity: 'warning', events: undefined },
  ...{ timeZone: 'UTC', quietHours: undefined, summary: undefined },
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-notify-'));
});
afterAll(() => rm(folder, { recursive: true }));

const mailRoute = (port: number, smtp: Partial<SmtpSettings> = {}): Route =>
  routeTo({
    kind: 'email',
    to: ['ops@example.com', 'two@example.com'],
    smtp: {
      ...{ host: '127.0.0.1', port, security: 'none', ca: undefined, user: undefined, password: undefined },
      ...{ from: 'cartwright@example.com', ...smtp },
    },
  });

describe('e-mail', () => {
  test('arrives with its id, its text and its attachment', async () => {
    const server = await startMailServer();
    const path = join(folder, 'status.csv');
    await writeFile(path, 'po_number\nPO-1\n');
    const sent = message();
    const attachments = [{ name: 'status.csv', path }];
    expect(await sendMessage(mailRoute(server.port), sent, settings, { attachments })).toEqual({
      kind: 'sent',
    });
    await server.stop();
    const [mail] = server.mails;
    expect(mail).toMatchObject({ to: ['ops@example.com', 'two@example.com'], secure: false });
    expect(mail!.text).toContain(`Message-ID: <${sent.id}@cartwright>`);
    expect(mail!.text).toContain('Subject: [Cartwright] north: Purchase order PO-1 is held');
    expect(mail!.text).toContain('filename=status.csv');
  });

  test('a file name cannot add a header, and no secret is sent', async () => {
    const server = await startMailServer();
    const hostile = message('x\r\nBcc: all@example.com', `the service said ${canary}`);
    await sendMessage(mailRoute(server.port), hostile, settings);
    await server.stop();
    expect(server.mails[0]!.to).toHaveLength(2);
    expect(server.mails[0]!.text).not.toMatch(/^Bcc:/m);
    expect(server.mails[0]!.text).not.toContain(canary);
    expect(server.mails[0]!.text).toContain('[secret]');
  });

  test('nothing is sent in the clear unless the settings say so: a certificate that nobody knows is refused', async () => {
    const server = await startMailServer();
    const plain = await startMailServer({ hideSTARTTLS: true });
    const unknown = await sendMessage(mailRoute(server.port, { security: 'starttls' }), message(), settings);
    const without = await sendMessage(mailRoute(plain.port, { security: 'starttls' }), message(), settings);
    await server.stop();
    await plain.stop();
    expect([...server.mails, ...plain.mails]).toEqual([]);
    for (const sent of [unknown, without]) {
      expect(sent).toMatchObject({
        kind: 'failed',
        message: expect.stringMatching(/^The mail server 127.0.0.1:\d+ .*security: starttls/),
      });
    }
  });

  test.runIf(hasProgram('openssl'))(
    'goes encrypted, and signed in, to a server whose certificate the settings trust',
    async () => {
      const { ca, key, certificate } = await makeCertificates(folder);
      const own = { key: await readFile(key), cert: await readFile(certificate), authOptional: false };
      const signedIn = { ca, user: 'cartwright', password: 'right password' };
      for (const security of ['starttls', 'tls'] as const) {
        const server = await startMailServer({ ...own, secure: security === 'tls' });
        const sent = await sendMessage(
          mailRoute(server.port, { ...signedIn, security }),
          message(),
          settings,
        );
        await server.stop();
        expect(sent).toEqual({ kind: 'sent' });
        expect(server.mails).toMatchObject([{ user: 'cartwright', secure: true }]);
      }
    },
  );

  test('a wrong password, a refusal, and a server that is away are one sentence each', async () => {
    const server = await startMailServer({ authOptional: false, allowInsecureAuth: true });
    const signIn = (password: string) =>
      sendMessage(mailRoute(server.port, { user: 'cartwright', password }), message(), {
        ...settings,
        secrets: [password],
      });
    const wrong = await signIn(canary);
    const right = await signIn('right password');
    await server.stop();
    const strict = await startMailServer({ refuse: `no such mailbox ${canary}` });
    const refused = await sendMessage(mailRoute(strict.port), message(), settings);
    await strict.stop();
    const away = await sendMessage(mailRoute(strict.port), message(), settings);
    expect(right).toEqual({ kind: 'sent' });
    expect(server.mails[0]!.user).toBe('cartwright');
    expect(wrong).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('refuses the user cartwright'),
    });
    expect(refused).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('no such mailbox [secret]'),
    });
    expect(away).toMatchObject({ kind: 'failed', message: expect.stringContaining('connection refused') });
    expect(JSON.stringify([wrong, refused, away])).not.toContain(canary);
  });
});

describe('webhooks', () => {
  test('a message is signed over its timestamp and its body, and keeps its id', async () => {
    const hook = await startHook();
    const sent = message();
    const route = routeTo({ kind: 'webhook', url: `${hook.url}/in`, secret: canary });
    expect(await sendMessage(route, sent, settings)).toEqual({ kind: 'sent' });
    await hook.stop();
    const { headers, body, path } = hook.posts[0]!;
    expect(path).toBe('/in');
    expect(headers['cartwright-id']).toBe(sent.id);
    const timestamp = headers['cartwright-timestamp'] as string;
    expect(headers['cartwright-signature']).toBe(`v1=${signatureOf(canary, timestamp, body)}`);
    expect(JSON.parse(body)).toMatchObject({
      id: sent.id,
      severity: 'warning',
      events: [{ kind: 'po_held', count: 1 }],
    });
    expect(JSON.stringify(hook.posts)).not.toContain(canary);
  });

  test('redirects are not followed; 500, 422 and silence are one sentence each', async () => {
    const goal = await startHook();
    const hook = await startHook((response, { length }) => {
      if (length === 1) response.writeHead(307, { location: goal.url }).end();
      else if (length === 2) response.writeHead(500).end('x'.repeat(1_000_000));
      else if (length === 3) response.writeHead(422).end();
      // The fourth gets no answer.
    });
    const route = routeTo({ kind: 'webhook', url: hook.url, secret: canary });
    const redirected = await sendMessage(route, message(), settings);
    const failed = await sendMessage(route, message(), settings);
    const refused = await sendMessage(route, message(), settings);
    const text = { subject: '', severity: 'info', paragraphs: [] } as const;
    const silent = await sendWebhook(
      { url: hook.url, secret: canary },
      message(),
      { ...text, paragraphs: [] },
      { timeoutMs: 200 },
    );
    await hook.stop();
    const away = await sendMessage(route, message(), settings);
    await goal.stop();
    expect(goal.posts).toEqual([]);
    expect(redirected).toMatchObject({ kind: 'failed', message: expect.stringContaining('redirects (307)') });
    expect(failed).toMatchObject({ kind: 'failed', message: expect.stringContaining('status 500') });
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('status 422') });
    expect(silent).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('no answer within 0.2 s'),
    });
    expect(away).toMatchObject({ kind: 'failed', message: expect.stringContaining('cannot be reached') });
  });

  test.each(['slack', 'teams'] as const)(
    '%s gets its own format; names do not become links or mentions',
    async (kind) => {
      const hook = await startHook();
      const route = routeTo({ kind, url: `${hook.url}/${canary}` });
      expect(await sendMessage(route, message('<!channel> [x](http://evil)'), settings)).toEqual({
        kind: 'sent',
      });
      await hook.stop();
      expect(await sendMessage(route, message(), settings)).toMatchObject({
        kind: 'failed',
        message: expect.not.stringContaining(canary),
      });
      const { path, body } = hook.posts[0]!;
      expect(path).toBe(`/${canary}`);
      const posted = JSON.parse(body);
      if (kind === 'slack') expect(posted.text).toContain('&lt;!channel&gt;');
      else expect(posted.attachments[0].content.body[0].text).toContain('\\[x\\]\\(http');
    },
  );
});
