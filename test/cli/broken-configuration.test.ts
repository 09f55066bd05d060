import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

test('while the file is broken, status and doctor go by what a running worker read', async () => {
  const service = await startService(cli.databaseUrl);
  const valid = (guards = '') => `console: { port: 0 }
accounts:
  north: { baseUrl: "${service.url}", ${guards} }
  south: { baseUrl: "${service.url}/south" }
`;
  const write = (text: string) => cli.write('cartwright.yaml', text);
  try {
    await write(valid());
    const worker = cli.start(['work']);
    await worker.printed('Working.');
    const copy = join(cli.folder, '.cartwright.yaml.in-use');
    expect((await stat(copy)).mode & 0o777, 'it may hold secrets').toBe(0o600);

    const broken: [string, RegExp][] = [
      ['accounts:\n  north: { baseUrl: [1\n   bad: : x\n', /is not valid YAML:\n {2}line \d+, column \d+/],
      ['accounts: { north: { bogus: 1 } }\n', /accounts\.north\.bogus: is not a setting/],
      ['', /has no settings any more/],
      ['# only a comment\n', /has no settings any more/],
      ['accounts:\n', /has no settings any more/],
      ['dataFolder: [\n', /is not valid YAML/],
      ['dataFolder: elsewhere\naccounts: 5\n', /accounts: must be a group of settings/],
    ];
    for (const [text, mistake] of broken) {
      await write(text);
      const checked = await cli.run('status', '--check', '--json');
      expect(checked.exitCode, text).toBe(5);
      expect(JSON.parse(checked.out).problems).toEqual([
        { code: 'configuration_broken', message: expect.stringMatching(mistake) },
      ]);
      expect(checked.err).toMatch(
        /The configuration file is broken.*what a process last read from it, at \d{4}-/s,
      );
      // All other commands need a valid file.
      expect((await cli.run('import', 'none.csv')).exitCode).toBe(2);
      if (!text.includes('bogus')) continue;
      const status = await cli.run('status');
      expect(status.out).toMatch(/^1 thing needs you:\n/);
      expect(status.out).toMatch(/\nnorth .*\nsouth /);
      const doctor = JSON.parse((await cli.run('doctor', '--json')).out);
      const findings = doctor.findings.filter(
        ({ check }: { check: string }) => check === 'configuration_broken',
      );
      expect(findings.map(({ message }: { message: string }) => message).join('\n')).toMatch(
        new RegExp(mistake.source.replace('\\n {2}', '\\n')),
      );
    }

    const file = join(cli.folder, 'cartwright.yaml');
    await rm(file);
    expect((await cli.run('status', '--check')).out).toMatch(/cartwright\.yaml is not there any more/);
    // Without the file, the command would use other accounts in another ledger.
    for (const args of [['import', 'none.csv'], ['schedule']])
      expect((await cli.run(...args)).exitCode, args.join(' ')).toBe(2);
    await mkdir(file);
    expect((await cli.run('status', '--check')).out).toMatch(/it is a folder/);
    await rm(file, { recursive: true });

    // After a reload the new configuration is in use.
    await write(valid('guards: { orderTotal: 7 }'));
    expect((await cli.run('reload')).exitCode).toBe(0);
    await write('accounts: {');
    const { settings } = JSON.parse((await cli.run('doctor', '--json')).out);
    expect(settings).toContainEqual({ name: 'accounts.north.guards.orderTotal', value: '7' });

    worker.child.kill('SIGTERM');
    await worker.ended;
    await rm(copy);
    const refused = await cli.run('status');
    expect([refused.exitCode, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('is not valid YAML');
  } finally {
    await service.stop();
  }
});

test('a file that never set anything is none that was emptied', async () => {
  await cli.write('comments.yaml', '# everything is in variables\n');
  const worker = cli.start(['work', '--config', 'comments.yaml']);
  await worker.printed('Working.');
  expect((await cli.run('status', '--config', 'comments.yaml')).exitCode).toBe(0);
  worker.child.kill('SIGTERM');
  await worker.ended;
  expect((await cli.run('schedule', '--config', 'comments.yaml')).exitCode).toBe(0);
});

test('all mistakes are named at once, of single settings and of several together', async () => {
  await cli.write(
    'cartwright.yaml',
    `queueView: { port: 1 }
accounts:
  north: { baseUrl: "http://127.0.0.1:1", inFlight: 0, bogus: 5 }
  south: { baseUrl: "http://127.0.0.1:1/", inFlight: lots, answers: { to: [a@example.com] } }
  west: { folder: accounts/north, fileSettle: soon }
notifications:
  routes: { ops: { kind: webhook, url: "http://127.0.0.1:9/x", secretEnv: X, accounts: [nord, east] } }
`,
  );
  const { exitCode, err } = await cli.run('status');
  expect(exitCode).toBe(2);
  const named = [...err.matchAll(/^ {2}(\S+): /gm)].map(([, name]) => name).sort();
  expect(named).toEqual([
    'accounts.north.bogus',
    'accounts.north.inFlight',
    'accounts.south',
    'accounts.south.answers',
    'accounts.south.inFlight',
    'accounts.west.fileSettle',
    'accounts.west.folder',
    'notifications.routes.ops.accounts',
    'notifications.routes.ops.accounts',
    'queueView',
  ]);
});
