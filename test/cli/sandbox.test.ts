import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findServerPort } from '../../src/embedded/free-port.ts';
import { project, readPage, readSteps } from '../docs/pages.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

interface Status {
  accounts: { account: string; states: Record<string, number> }[];
}
const statesOf = async (name: string) => {
  const { out, exitCode } = await cli.run('status', '--json', '--sandbox');
  expect(exitCode, out).toBe(0);
  return (JSON.parse(out) as Status).accounts.find(({ account }) => account === name)?.states;
};

test('the example of the README ends as it says: at a sandbox, with its own files, before anything is real', async () => {
  const steps = readSteps(await readPage('README.md'));
  const example = steps.find((step) => step.kind === 'file')!;
  const port = await findServerPort();
  await cli.write('cartwright.yaml', `${example.content}console: { port: 0 }\nservice: { port: ${port} }\n`);
  const up = cli.start(['up', '--sandbox']);
  await up.printed('Console: ');
  const account = join(cli.folder, 'cartwright-data/sandbox/accounts/north');
  const sample = 'northside-week-47.csv';
  await cp(join(project, 'samples', sample), join(account, 'inbox', sample));
  await expect.poll(() => statesOf('north'), { timeout: 60_000 }).toMatchObject({ ordered: 3, held: 1 });
  const held = await cli.run('status', ' NS-1004\u00a0', '--sandbox');
  expect(held.out).toContain('price_above');
  expect((await cli.run('release', 'NS-1004', '--yes', '--sandbox')).exitCode).toBe(0);
  await expect.poll(() => statesOf('north'), { timeout: 60_000 }).toMatchObject({ ordered: 4 });

  // Items unknown to the sandbox get the file's expected price.
  const own = 'PO Number,SKU,Qty,Unit Price\nOWN-1,OWN-SKU-1,3,4.15\nOWN-1,OWN-SKU-2,1,12\n';
  await writeFile(join(account, 'inbox', 'own.csv'), own);
  await expect.poll(() => statesOf('north'), { timeout: 60_000 }).toMatchObject({ ordered: 5 });

  // Sandbox orders are recognisable everywhere by their order numbers.
  await expect
    .poll(
      async () => {
        const name = (await readdir(join(account, 'results'))).find((one) => one.endsWith('.result.csv'));
        const rows = name ? (await readFile(join(account, 'results', name), 'utf8')).trim().split('\n') : [];
        return rows.length > 1 && rows.slice(1).every((row) => row.includes('SANDBOX-'));
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  up.child.kill('SIGINT');
  expect((await up.ended).exitCode).toBe(0);

  // Going live keeps nothing of the sandbox.
  const live = await cli.run('status', '--json');
  expect(live.out).not.toContain('NS-10');
  const files = await readdir(join(cli.folder, 'cartwright-data')).catch(() => []);
  expect(files).toEqual(['sandbox']);
});

test('each account orders for itself, also the same PO number', async () => {
  const port = await findServerPort();
  await cli.write(
    'cartwright.yaml',
    `accounts: { east: {}, west: {} }\nconsole: { port: 0 }\nservice: { port: ${port} }\n`,
  );
  const up = cli.start(['up', '--sandbox']);
  await up.printed('Console: ');
  for (const name of ['east', 'west'])
    await cli.write(
      `cartwright-data/sandbox/accounts/${name}/inbox/two.csv`,
      `po_number,item_sku,quantity\nTWIN-1,FILTER-${name},2\n`,
    );
  const states = async () => {
    const { out } = await cli.run('status', '--json', '--sandbox');
    return (JSON.parse(out) as Status).accounts.map(({ account, states }) => [account, states.ordered ?? 0]);
  };
  await expect.poll(states, { timeout: 60_000 }).toEqual([
    ['east', 1],
    ['west', 1],
  ]);
  up.child.kill('SIGINT');
  expect((await up.ended).exitCode).toBe(0);
});

test('sample files never go to a real service', async () => {
  const { exitCode, err } = await cli.run('up', '--demo');
  expect(exitCode).toBe(2);
  expect(err).toContain('--demo needs --sandbox, too');
});

test('what a console elsewhere answers is never shown as a sandbox’s', async () => {
  const { exitCode, err } = await cli.run('status', '--sandbox', '--url', 'http://127.0.0.1:9/');
  expect(exitCode).toBe(2);
  expect(err).toContain('--sandbox cannot be combined with --url');
});

const atTerminal = test.skipIf(!process.env.CI && !existsSync('/usr/bin/script'));

atTerminal('from init to the first own order, two commands and no file touched by hand', async () => {
  await rm(join(cli.folder, 'cartwright.yaml'), { force: true });
  await cli.write('einkauf.csv', 'Vorgang;Teil;Stk\nW-1;AB-100;2\nW-1;AB-200;3\nW-2;AB-100;1\n');
  const init = cli.startAtTerminal('init');
  const answer = async (question: string, typed: string) => {
    await init.printed(question);
    init.child.stdin!.write(`${typed}\n`);
  };
  await answer('Name of the account', 'first');
  await answer('try a sandbox first', '');
  await answer('Time zone', '');
  await answer('messages', '');
  await answer('A first purchase file to order, or - for none [einkauf.csv]', '');
  await answer('"Teil" is the item number, "Stk" is the quantity. Is all of this right', 'y');
  await answer('Its number or header', 'Vorgang');
  await answer('Record this as the layout', 'y');
  const { exitCode, out } = await init.ended;
  expect(exitCode, out).toBe(0);
  expect(out).toContain('A copy is in the inbox of the sandbox. This orders it:');
  expect(out).not.toContain('cartwright map einkauf.csv');

  const settings = await readFile(join(cli.folder, 'cartwright.yaml'), 'utf8');
  await cli.write(
    'cartwright.yaml',
    `${settings}\nconsole: { port: 0 }\nservice: { port: ${await findServerPort()} }\n`,
  );
  const up = cli.start(['up', '--sandbox']);
  await up.printed('Console: ');
  await expect.poll(() => statesOf('first'), { timeout: 60_000 }).toMatchObject({ ordered: 2 });
  await up.printed(': 2 ordered');
  up.child.kill('SIGINT');
  expect((await up.ended).exitCode).toBe(0);
});
