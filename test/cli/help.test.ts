import { readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from '../../src/cli/build-program.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { firstHelp } from '../../src/cli/first-help.ts';
import { serviceConfigSchema } from '../../src/service/config.ts';

const program = await buildProgram();

/** The full output of `--help`, including examples. */
const helpOf = (command: typeof program, width = 1000): string => {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => width,
  });
  command.outputHelp();
  return text;
};

test('each command alone has the same help as among all of them', async () => {
  const names = program.commands.map((command) => command.name());
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const alone = await buildProgram([name]);
    const command = alone.commands.find((one) => one.name() === name)!;
    const among = program.commands.find((one) => one.name() === name)!;
    expect(helpOf(command)).toBe(helpOf(among));
  }
});

test('the help of all commands, which loads none of them, is that of the commands', async () => {
  expect(helpOf(await buildProgram(['--help']))).toBe(helpOf(program));
});

test('every command has a description and an example that is a valid command', () => {
  expect(program.commands.length).toBeGreaterThan(12);
  for (const command of program.commands) {
    const help = helpOf(command);
    expect(command.summary(), command.name()).not.toBe('');
    expect(help, command.name()).toMatch(/Examples?:\n {2}cartwright /);
    for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    for (const [, used] of help.matchAll(/^ {2}cartwright ([a-z-]+)/gm)) {
      expect(program.commands.map((one) => one.name())).toContain(used);
    }
  }
});

test('no line of help is longer than 80 columns', () => {
  const within = (commands: readonly (typeof program)[]): string[] =>
    commands.flatMap((command) => [
      ...helpOf(command, 80)
        .split('\n')
        .filter((line) => line.length > 80)
        .map((line) => `${command.name()}: ${line}`),
      ...within(command.commands as (typeof program)[]),
    ]);
  expect(within([program])).toEqual([]);
});

test('`cartwright` alone and `service --help` fit a screen of 80 columns and 24 lines', async () => {
  const service = (await buildProgram(['service'])).commands.find((command) => command.name() === 'service')!;
  for (const text of [firstHelp, helpOf(service, 80)]) {
    expect(text.split('\n').length).toBeLessThanOrEqual(25);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
  const named = [...firstHelp.matchAll(/^ {2}cartwright ([a-z-]+)/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(program.commands.map((command) => command.name())).toEqual(expect.arrayContaining(named));
});

test('every command is grouped under a heading', () => {
  expect(program.commands.filter((command) => command.helpGroup() === undefined)).toEqual([]);
});

test('`service --help-all` explains every switch of its configuration in the schema’s words', async () => {
  const alone = await buildProgram(['service']);
  const service = alone.commands.find((command) => command.name() === 'service')!;
  let help = '';
  service.exitOverride().configureOutput({
    writeOut: (part) => {
      help += part;
    },
    getOutHelpWidth: () => 1000,
  });
  await expect(alone.parseAsync(['service', '--help-all'], { from: 'user' })).rejects.toThrow();
  for (const [name, schema] of Object.entries(serviceConfigSchema.shape)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    expect(help).toContain(flag);
    expect(schema.description, name).toBeTruthy();
    expect(help, flag).toContain(schema.description);
  }
});

test('the help shows all exit codes, each with a different number', () => {
  const help = helpOf(program);
  const codes = Object.values(exitCodes);
  for (const { code, means } of codes) expect(help).toContain(`${String(code).padStart(3)}  ${means}`);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length);
});

const pages = [
  'README.md',
  ...[
    'architecture',
    'backups',
    'every-day',
    'layouts',
    'monitoring',
    'operating',
    'service',
    'settings',
  ].map((name) => `docs/${name}.md`),
];

test.each(pages)('%s names only existing commands, and its links lead to files', async (page) => {
  const url = new URL(`../../${page}`, import.meta.url);
  const text = await readFile(url, 'utf8');
  const names = program.commands.map((command) => command.name());
  for (const [, used] of text.matchAll(/`cartwright ([a-z][a-z-]+)/g)) expect(names).toContain(used);
  for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
    await stat(new URL(target!, url));
  }
});

test('the quick start of the README consists of the two commands for the demo and the tests', async () => {
  const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, block] = /^## Quick start\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(text)!;
  const commands = block!
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s*#.*/, ''));
  expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
});

test('the README’s configuration is valid', async () => {
  const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const { configSchema } = await import('../../src/config/schema.ts');
  const yaml = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  expect(configSchema.safeParse(parse(yaml)).error).toBeUndefined();
  expect(yaml.trim().split('\n').length).toBeLessThanOrEqual(10);
});

test('the compose file runs Redis with the settings that the queue needs, and the service only on request', async () => {
  const { services } = parse(await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8'));
  expect(services.redis.command).toEqual(expect.arrayContaining(['--appendonly', 'yes', 'noeviction']));
  expect(services.sandbox.profiles).toEqual(['sandbox']);
  const names = program.commands.map((command) => command.name());
  for (const { command } of [services.worker, services.sandbox]) expect(names).toContain(command[0]);
  for (const name of ['worker', 'postgres', 'redis', 'sandbox']) {
    expect(services[name].healthcheck, name).toBeDefined();
  }
});

/** Secrets that `ps` would show: a token in JSON or in a header, a password in an address, an option with a secret. */
const secretInArguments =
  /"(?:token|secret|password)" *:|Bearer (?!TOKEN\b|\$)\S|\/\/[^\s/:@]+:(?!\$)[^\s/@]+@|--(?:token|secret|password)\b/i;

test('no help text, page or example passes a secret as a command argument', async () => {
  for (const leak of [
    `cartwright service --dealers '[{"name":"north","token":"secret"}]'`,
    'curl -H "Authorization: Bearer abc" http://127.0.0.1/',
    'psql postgres://me:mine@db/cartwright',
    'cartwright up --token abc',
  ]) {
    expect(leak).toMatch(secretInArguments);
  }
  const examples = [
    ...pages,
    'docs/promise.md',
    'cartwright.example.yaml',
    'docker-compose.yml',
    'package.json',
  ];
  const texts = await Promise.all(
    examples.map((name) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8')),
  );
  for (const text of [...texts, ...program.commands.map(helpOf), helpOf(program)]) {
    const commands = text
      .split('\n')
      .filter((line) => /\b(?:cartwright|curl|psql|redis-cli|npm|npx) /.test(line));
    for (const line of commands) expect(line).not.toMatch(secretInArguments);
  }
});
