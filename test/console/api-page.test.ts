import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../src/console/access/secrets.ts';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { addToken } from '../../src/ledger/console/tokens.ts';
import { useConsole } from './use-console.ts';

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
const address = 'http://127.0.0.1:8490';
const use = useConsole();
let console: ListeningConsole;
let token: string;

beforeAll(async () => {
  console = await listenConsole(use.deps);
  const { secret, hash } = newToken();
  token = secret;
  await addToken(
    use.deps.pool,
    { name: 'nightly-report', role: 'admin', accounts: null, tokenHash: hash, days: null },
    { who: 'ops', via: 'command line' },
  );
});
afterAll(() => console.stop());

/** The commands of the page in order, each with the answer below it. */
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g)].map((found) => ({
  command: found[1]!,
  answer: found[2],
}));

/** Times differ in each run. */
const steady = (text: string): unknown =>
  JSON.parse(text, (name, value) => (name === 'at' ? 'varies' : value));

test.each(examples)(
  'the page’s command gives the answer beneath it: $command',
  async ({ command, answer }) => {
    const { stdout } = await promisify(execFile)('bash', ['-ec', command.replaceAll(address, console.url)], {
      env: { ...process.env, CARTWRIGHT_API_TOKEN: token },
    });
    expect(stdout).not.toBe('');
    if (answer !== undefined) expect(steady(stdout)).toEqual(steady(answer));
  },
);
