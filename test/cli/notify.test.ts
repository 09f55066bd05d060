import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHook, startMailServer } from '../notify/receivers.ts';
import { runCli } from './run-cli.ts';

const canary = 'canary-91d2-secret';
let folder: string;
let hook: Awaited<ReturnType<typeof startHook>>;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-notify-'));
  hook = await startHook();
  mail = await startMailServer();
  await writeFile(
    join(folder, 'cartwright.yaml'),
    JSON.stringify({
      notifications: {
        smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'cartwright@example.com' },
        routes: {
          office: { kind: 'email', to: ['office@example.com'] },
          program: { kind: 'webhook', url: hook.url, secretEnv: 'SECRET' },
          chat: { kind: 'slack', urlEnv: 'CHAT' },
          unset: { kind: 'teams', urlEnv: 'NOT_SET' },
        },
      },
    }),
  );
});
afterAll(async () => {
  await hook.stop();
  await mail.stop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  runCli(args, { cwd: folder, env: { SECRET: canary, CHAT: `http://127.0.0.1:1/${canary}` } });

test('notify --test sends on each route and says what happened, one sentence each, without a secret', async () => {
  const { exitCode, out, err } = await run('notify', '--test');
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^office: sent a test message to office@example.com\.$/m);
  expect(out).toMatch(/^program: sent a test message to 127.0.0.1:\d+\.$/m);
  expect(out).toMatch(/^chat: not sent: 127.0.0.1:1 cannot be reached/m);
  expect(out).toMatch(/^unset: not sent: The environment variable NOT_SET/m);
  expect(mail.mails).toHaveLength(1);
  expect(hook.posts).toHaveLength(1);
  expect(JSON.stringify([out, err, mail.mails, hook.posts])).not.toContain(canary);

  const one = await run('notify', '--test', '--route', 'office');
  expect(one).toMatchObject({ exitCode: 0, out: 'office: sent a test message to office@example.com.\n' });
});

test('notify shows who is told what, and names a route that does not exist', async () => {
  const shown = await run('notify');
  expect(shown.exitCode).toBe(0);
  expect(shown.out).toMatch(/office +office@example.com +all +warnings and alarms/);
  expect(shown.out).not.toContain(canary);
  const unknown = await run('notify', '--route', 'nobody');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.err).toContain('There is no route nobody. Routes: office, program, chat, unset.');
});
