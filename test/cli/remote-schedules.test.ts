import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { type RunningCli, runCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let console: RunningCli;
afterEach(() => void console.child.kill('SIGKILL'));

test('schedule --url shows what schedule shows where the console runs, as far as its token may see it', async () => {
  const port = await findFreePort();
  await cli.write('secret', 'a secret that is long enough');
  await cli.write(
    'cartwright.yaml',
    `console: { port: ${port} }
backup: { folder: backups, at: 0 2 * * * }
notifications:
  routes:
    office: { kind: webhook, url: "http://127.0.0.1:9/", secretFile: secret, summary: 0 7 * * * }
accounts:
  north: { schedule: { expectFiles: 30 9 * * 1-5, takeFiles: 0 8 * * *, closedOn: [sun, mon, tue, wed, thu, fri, sat] } }
  south: { schedule: { poll: 0 * * * * } }
`,
  );
  const newToken = async (...more: string[]): Promise<string> => {
    const added = await cli.run('tokens', 'add', 'reader', '--json', ...more);
    return JSON.parse(added.out).token.secret;
  };
  const [all, north] = [await newToken(), await newToken('--account', 'north')];
  console = cli.start(['console']);
  await console.printed('Console:');
  const url = ['--url', `http://127.0.0.1:${port}`];
  const remote = (token: string, ...args: string[]) =>
    runCli(['schedule', ...args, ...url], { cwd: '/', env: { CARTWRIGHT_API_TOKEN: token } });

  const local = await cli.run('schedule');
  for (const name of [
    'north/takeFiles',
    'north/expectFiles',
    'south/statusReport',
    'summary to office',
    'backup',
    'prune',
  ])
    expect(local.out).toContain(name);
  expect(local.out).toContain('north: closed now');
  expect((await remote(all)).out).toBe(local.out);
  expect((await remote(all, '--account', 'north')).out).toBe(
    (await cli.run('schedule', '--account', 'north')).out,
  );
  const json = JSON.parse((await cli.run('schedule', '--json')).out);
  expect(JSON.parse((await remote(all, '--json')).out)).toEqual(json);

  const seen = (await remote(north)).out;
  expect(seen).toContain('north/expectFiles');
  expect(seen).not.toMatch(/south|backup|prune|office/);
  const other = await remote(north, '--account', 'south');
  expect([other.exitCode, other.err]).toEqual([2, expect.stringContaining('No account was found')]);
  console.child.kill('SIGTERM');
  expect((await console.ended).exitCode).toBe(0);
});
