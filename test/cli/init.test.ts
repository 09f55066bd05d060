import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { askAnswers, type InitOptions } from '../../src/cli/init/ask-answers.ts';
import { type InitAnswers, readAnswers, writeSettings } from '../../src/cli/init/new-settings.ts';
import { configSchema } from '../../src/config/schema.ts';
import { runCli } from './run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright init '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const init = (...args: string[]) => runCli(['init', ...args], { cwd: folder });
const written = () => readFile(join(folder, 'cartwright.yaml'), 'utf8');

describe('cartwright init without a terminal', () => {
  test('writes a configuration for a sandbox, its schema and the folders, and says what is next', async () => {
    const { exitCode, out } = await init('--name', 'north', '--time-zone', 'America/Chicago');
    expect(exitCode).toBe(0);
    expect(out).toContain('cartwright up --sandbox\n');
    expect(out).toContain('cartwright-data/sandbox/accounts/north/inbox');
    const text = await written();
    expect(text).toMatch(/^# yaml-language-server: \$schema=cartwright\.schema\.json\n/);
    expect(parse(text)).toEqual({
      dataFolder: 'cartwright-data',
      accounts: { north: { schedule: { timeZone: 'America/Chicago' } } },
    });
    expect(await readdir(join(folder, 'cartwright-data', 'accounts', 'north'))).toContain('inbox');
    expect(
      JSON.parse(await readFile(join(folder, 'cartwright.schema.json'), 'utf8')).properties,
    ).toHaveProperty('accounts');
  });

  test('commands in what it says are for the sandbox, and name the configuration that it wrote', async () => {
    await writeFile(join(folder, 'einkauf.csv'), 'Vorgang;Teil;Stk\nW-1;A-1;2\n');
    const { out } = await init('--config', 'my config.yaml', '--file', 'einkauf.csv');
    expect(out).toContain("cartwright up --config 'my config.yaml' --sandbox");
    expect(out.replace(/\s+/g, ' ')).toContain('`cartwright map einkauf.csv --write --sandbox`');
  });

  test.each([
    [['--sign-in', 'bearer'], '--sign-in needs --base-url'],
    [['--mail-server', 'mail.example.com'], '--mail-server needs --messages-to'],
    [['--messages-to', 'it@x.example', '--mail-server', 'mail.example.com:2525'], 'Mail server: it must be'],
    [['--name', '__proto__'], 'Name of the account'],
    [
      ['--base-url', 'https://a.example', '--sign-in', 'basic', '--user', 'me', '--secret-env', 'a-b'],
      'Environment variable that holds the secret: it must be',
    ],
  ])('%j: names the option that is wrong, and only that, and writes nothing', async (args, shows) => {
    const { exitCode, err } = await init(...args);
    expect(exitCode).toBe(2);
    expect(err).toContain(shows);
    expect(err.match(/\[default\]|; empty:/g)).toBe(null);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a link that leads nowhere is not written through, and a schema that was there is kept and said so', async () => {
    await symlink(join(folder, 'nowhere', 'x.yaml'), join(folder, 'cartwright.yaml'));
    expect((await init()).err).toContain('already exists, so nothing was changed');
    expect(await readdir(folder)).toEqual(['cartwright.yaml']);
    await rm(join(folder, 'cartwright.yaml'));
    await writeFile(join(folder, 'cartwright.schema.json'), '{}');
    expect((await init()).out).toContain('The cartwright.schema.json that was there is kept.');
  });

  test('what it wrote goes again where the folders cannot be made, so that it can be repeated', async () => {
    await writeFile(join(folder, 'cartwright-data'), 'a file');
    expect((await init()).exitCode).not.toBe(0);
    expect(await readdir(folder)).toEqual(['cartwright-data']);
  });

  test('looks at a first file', async () => {
    await writeFile(join(folder, 'orders.csv'), 'po_number,item_sku,quantity\nPO-1,S,2\n');
    const { exitCode, out } = await init('--file', 'orders.csv');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/PO-1 +2 +1 +2 +would be ordered/);
  });

  test('says what the service answers, and writes the configuration anyway', async () => {
    const server = createServer((_, response) => {
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { exitCode, err } = await runCli(
      [
        'init',
        '--base-url',
        `http://127.0.0.1:${port}`,
        '--sign-in',
        'bearer',
        '--secret-env',
        'NORTH_TOKEN',
      ],
      { cwd: folder, env: { NORTH_TOKEN: 'wrong' } },
    );
    server.close();
    expect(exitCode).toBe(1);
    expect(err).toContain('The service refused the credential');
    expect(parse(await written()).accounts.default).toMatchObject({
      auth: { kind: 'bearer', secretEnv: 'NORTH_TOKEN' },
    });
  });

  test.each([
    [['--name', 'North'], 'must be a name of lower-case letters'],
    [['--base-url', 'orders.example.com'], 'must be a web address'],
    [['--base-url', 'https://me:hunter2@a.example'], 'must not contain a user or password'],
    [
      ['--base-url', 'https://a.example', '--sign-in', 'magic'],
      'it must be one of none, bearer, basic, header. Nothing was written.',
    ],
    [['--time-zone', 'Mars'], 'must be a time zone such as America/Chicago, Europe/Berlin, Asia/Tokyo'],
    [['--time-zone', 'new york'], 'must be a time zone such as America/New_York'],
    [['--messages-to', 'nobody'], 'must be an e-mail address'],
    [['--base-url', 'https://a.example', '--sign-in', 'basic'], 'User: It must'],
    [['--file', 'missing.csv'], 'missing.csv'],
  ])('%j: says what is wrong, and writes nothing', async (args, says) => {
    const { exitCode, err } = await init(...args);
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(says);
    expect(err).not.toContain('hunter2');
    expect(await readdir(folder)).toEqual([]);
  });

  test('never overwrites', async () => {
    await writeFile(join(folder, 'cartwright.yaml'), 'accounts: {}\n');
    const { exitCode, err } = await init();
    expect(exitCode).toBe(2);
    expect(err).toContain('already exists, so nothing was changed');
    expect(await written()).toBe('accounts: {}\n');
    expect(await readdir(folder)).toEqual(['cartwright.yaml']);
  });
});

/** Answers the questions in order; after an invalid answer, the next one answers the same question. */
const answersOf = async (typed: string[], options: InitOptions = {}) => {
  const asked: string[] = [];
  const told: string[] = [];
  const answers = await askAnswers(
    async (question) => {
      asked.push(question);
      return typed.shift() ?? '';
    },
    (line) => told.push(line),
    options,
  );
  return { answers, asked, told, left: typed };
};

describe('what cartwright init asks', () => {
  test('an empty answer takes what is proposed: a sandbox first', async () => {
    const { answers, asked } = await answersOf([]);
    expect(answers).toMatchObject({ name: 'default', baseUrl: undefined, messages: undefined });
    expect(asked).toHaveLength(4);
  });

  test('a wrong answer is asked again, with what was expected', async () => {
    const { answers, told, left } = await answersOf([
      ...[
        'North!',
        'north',
        'ftp://x',
        'https://orders.example.com',
        'password',
        'header',
        'x-key',
        'A B',
        'sk_live_4242abcd',
        'KEY',
      ],
      ...['Nowhere', 'Europe/Berlin', 'me', 'it@example.com', 'mail.example.com', 'orders@example.com'],
    ]);
    expect(left).toEqual([]);
    expect(told).toEqual([
      expect.stringContaining('lower-case letters'),
      expect.stringContaining('web address'),
      'It must be one of none, bearer, basic, header.',
      expect.stringContaining('environment variable'),
      expect.stringContaining('never the secret itself'),
      expect.stringContaining('time zone'),
      expect.stringContaining('e-mail address'),
    ]);
    expect(answers).toEqual({
      name: 'north',
      baseUrl: 'https://orders.example.com',
      signIn: { kind: 'header', name: 'x-key', secretEnv: 'KEY' },
      timeZone: 'Europe/Berlin',
      messages: { to: 'it@example.com', host: 'mail.example.com', from: 'orders@example.com' },
    });
  });

  test('an account whose name is a number has a variable that may be called so', async () => {
    const { answers } = await answersOf(['4711', 'https://orders.example.com']);
    expect(answers.signIn).toEqual({ kind: 'bearer', secretEnv: 'SECRET_4711' });
  });

  test('what an option says is not asked, unless it is wrong', async () => {
    const { asked, told } = await answersOf(['UTC'], { name: 'north', baseUrl: '', timeZone: 'Mars' });
    expect(asked.map((one) => one.split(/[ ;:]/)[0])).toEqual(['Time', 'E-mail']);
    expect(told[0]).toContain('Time zone: it must be a time zone');
  });
});

test.each<Partial<InitAnswers>>([
  {},
  { baseUrl: 'https://orders.example.com:8443/a/b', signIn: { kind: 'bearer', secretEnv: 'T' } },
  { baseUrl: 'http://127.0.0.1:1', signIn: { kind: 'basic', user: 'no: "body" #1', secretEnv: 'T' } },
  { baseUrl: 'https://a.example', signIn: { kind: 'header', name: 'x-api-key', secretEnv: 'T' } },
  ...['null', 'true', '0x1f', '1e5', '0123', '1_000', 'no'].map((name) => ({ name })),
  { baseUrl: 'https://a.example', signIn: { kind: 'basic', user: 'a, b}: [c', secretEnv: 'T' } },
  { name: '0', messages: { to: 'a+b@example.com', host: '10.0.0.1', from: 'c@example.com' } },
])('what is written is what was answered: %j', (some) => {
  const answers: InitAnswers = {
    ...{
      name: 'north',
      baseUrl: undefined,
      signIn: { kind: 'none' },
      timeZone: 'Etc/GMT+5',
      messages: undefined,
    },
    ...some,
  };
  const read = readAnswers(answers);
  const text = writeSettings(answers, 'schema.json');
  expect({ settings: configSchema.parse(parse(text)) }).toEqual(read);
});
