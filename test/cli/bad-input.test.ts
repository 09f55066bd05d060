import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { startService } from '../support/run-system.ts';
import { runCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let service: ListeningService;
let taken: Server;
let closedPort: number;

const good = 'po_number,item_sku,quantity\nBAD-1,SKU-1,2\n';
const file = (name: string): string => join(cli.folder, name);

beforeAll(async () => {
  service = await startService(cli.databaseUrl, { dealers: [{ name: 'dealer', token: 'the-right-token' }] });
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  closedPort = await findFreePort();
  await writeFile(file('good.csv'), good);
  await writeFile(file('empty.csv'), '');
  await writeFile(file('unknown.csv'), 'colour,size,shape\nred,2,round\n');
  await writeFile(file('no-po.csv'), 'item_sku,quantity\nSKU-1,2\n');
  await writeFile(file('cut.xlsx'), 'PK\u0003\u0004 and no more');
});
afterAll(async () => {
  taken.close();
  await service.stop();
});

interface Expected {
  exitCode: number;
  shows: (string | RegExp)[];
  env?: Record<string, string>;
}

/** One sentence (or one and a list), no stack trace, the exit code, and nothing on standard output. */
const refuses = async (args: string[], { exitCode, shows, env = {} }: Expected): Promise<void> => {
  const ended = await runCli(args, { cwd: cli.folder, env: { DATABASE_URL: cli.databaseUrl, ...env } });
  const output = `${ended.out}${ended.err}`;
  for (const words of shows) {
    if (typeof words === 'string') expect(output).toContain(words);
    else expect(output).toMatch(words);
  }
  expect(output, 'no stack trace').not.toMatch(/^\s+at .*[:(]/m);
  expect(output).not.toContain('the-right-token');
  expect(ended.exitCode).toBe(exitCode);
};

const importsInLedger = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: cli.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regclass('cartwright.imports') is not null as made`);
    if (!rows[0].made) return 0;
    return (await client.query('select count(*)::int as n from cartwright.imports')).rows[0].n;
  } finally {
    await client.end();
  }
};

const port = (server: Server): number => (server.address() as { port: number }).port;

test('refuses a file that is missing', () =>
  refuses(['import', 'nowhere.csv'], { exitCode: 2, shows: ['nowhere.csv does not exist'] }));

test('refuses a folder instead of a file', () =>
  refuses(['import', '.'], { exitCode: 2, shows: ['is not a file'] }));

// /proc/self/mem is a regular file, but reading its first byte is an error, also for root.
test.runIf(process.platform === 'linux')('refuses a file that cannot be read', () =>
  refuses(['import', '/proc/self/mem'], { exitCode: 2, shows: ['Cannot read /proc/self/mem'] }),
);

test('refuses an empty file', () =>
  refuses(['import', '--dry-run', 'empty.csv'], { exitCode: 1, shows: ['refused', /empty/] }));

test('refuses a file with unknown columns, and names its columns and the required ones', () =>
  refuses(['import', '--dry-run', 'unknown.csv'], {
    exitCode: 1,
    shows: ['would wait', '"colour"', 'PO number', 'quantity'],
  }));

test('refuses a file without a PO column', () =>
  refuses(['import', '--dry-run', 'no-po.csv'], { exitCode: 1, shows: ['would wait', 'PO number'] }));

test('refuses a workbook that is cut off', () =>
  refuses(['import', '--dry-run', 'cut.xlsx'], { exitCode: 1, shows: ['refused', 'incomplete'] }));

test('import --wait of a file that waits shows the reason and exits with a failure code', () =>
  refuses(['import', '--wait', 'no-po.csv'], {
    exitCode: 1,
    shows: [
      'waits for somebody to say what it means: Row 1 looks like the header',
      'cartwright map --import ',
    ],
    env: { CARTWRIGHT_BASE_URL: service.url, CARTWRIGHT_TOKEN: 'the-right-token' },
  }));

test('refuses an unknown key in the configuration, by its name', async () => {
  await writeFile(file('wrong.yaml'), 'accounts:\n  north:\n    baseURL: http://127.0.0.1\n');
  await refuses(['status', '--config', 'wrong.yaml'], {
    exitCode: 2,
    shows: ['wrong.yaml', 'accounts.north.baseURL: is not a setting'],
  });
});

test('refuses a configuration file that is missing', () =>
  refuses(['status', '--config', 'absent.yaml'], {
    exitCode: 2,
    shows: ['absent.yaml', 'does not exist'],
  }));

test('refuses an unknown account, and lists the configured ones', () =>
  refuses(['import', 'good.csv', '--account', 'west'], {
    exitCode: 2,
    shows: ['no account west', 'Configured accounts: default'],
  }));

test('refuses to start the service on a port that another program uses', () =>
  refuses(['service', '--port', String(port(taken))], {
    exitCode: 3,
    shows: [`port ${port(taken)}`, 'already listening there'],
  }));

test('refuses a service option that is not a number', () =>
  refuses(['service', '--read-lag-ms', 'soon'], { exitCode: 2, shows: ['--read-lag-ms'] }));

test('reports that the database is unreachable', () =>
  refuses(['status'], {
    exitCode: 3,
    shows: [`The database at 127.0.0.1:${closedPort}`, '(connection refused)', 'DATABASE_URL'],
    env: { DATABASE_URL: `postgres://someone:hidden@127.0.0.1:${closedPort}/ledger` },
  }));

test('reports that the database of the service is unreachable', () =>
  refuses(['service', '--port', '0'], {
    exitCode: 3,
    shows: [`The database at 127.0.0.1:${closedPort}`],
    env: { DATABASE_URL: `postgres://someone:hidden@127.0.0.1:${closedPort}/ledger` },
  }));

test('reports that Redis is unreachable', () =>
  refuses(['import', 'good.csv'], {
    exitCode: 3,
    shows: ['Redis', String(closedPort)],
    env: { REDIS_URL: `redis://127.0.0.1:${closedPort}` },
  }));

test('import --wait without a configured service address is refused', () =>
  refuses(['import', '--wait', 'good.csv'], {
    exitCode: 2,
    shows: ['has no service address', 'CARTWRIGHT_BASE_URL'],
  }));

test('import --wait takes no file while the service is unreachable', async () => {
  const before = await importsInLedger();
  await refuses(['import', '--wait', 'good.csv'], {
    exitCode: 3,
    shows: [`http://127.0.0.1:${closedPort}`, 'cannot be used', 'connection refused'],
    env: { CARTWRIGHT_BASE_URL: `http://127.0.0.1:${closedPort}` },
  });
  expect(await importsInLedger()).toBe(before);
});

test('import --wait with a wrong token takes no file and does not show the token', async () => {
  const before = await importsInLedger();
  await refuses(['import', '--wait', 'good.csv'], {
    exitCode: 3,
    shows: ['refused the credential', '401'],
    env: { CARTWRIGHT_BASE_URL: service.url, CARTWRIGHT_TOKEN: 'the-wrong-token' },
  });
  expect(await importsInLedger()).toBe(before);
});

test('refuses an unknown command and a missing argument', async () => {
  await refuses(['improt', 'good.csv'], { exitCode: 2, shows: ['unknown command', 'import'] });
  await refuses(['help', 'improt'], { exitCode: 2, shows: ["unknown command 'improt'"] });
  await refuses(['import'], { exitCode: 2, shows: ['missing required argument'] });
});

test('--json prints the error as JSON with its code on standard output', async () => {
  const ended = await runCli(['import', 'nowhere.csv', '--json'], {
    cwd: cli.folder,
    env: { DATABASE_URL: cli.databaseUrl },
  });
  expect(JSON.parse(ended.out)).toMatchObject({ error: { code: 'file_missing' } });
});
