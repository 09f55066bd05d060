import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { pauseCodes, serviceCause } from '../../src/placing/service-causes.ts';
import { useCliFolder } from '../cli/use-cli-folder.ts';
import { startMailServer } from '../notify/receivers.ts';
import { startFaultyAddresses } from '../support/faulty-addresses.ts';

const cli = useCliFolder();
let folder: string;
let faulty: Awaited<ReturnType<typeof startFaultyAddresses>>;
let mail: Awaited<ReturnType<typeof startMailServer>>;

const causes = () => Object.keys(faulty.addresses);
const nameOf = (cause: string) => cause.replaceAll('_', '-');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-causes-'));
  faulty = await startFaultyAddresses(folder);
  mail = await startMailServer();
  const accounts = Object.fromEntries(
    Object.entries(faulty.addresses).map(([cause, baseUrl]) => [
      nameOf(cause),
      { baseUrl, fileSettle: '0s' },
    ]),
  );
  const notifications = {
    smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'cartwright@example.com' },
    // Separate routes, because one message would name only ten of them, and later events would wait for the digest.
    routes: Object.fromEntries(
      causes().map((cause) => [
        nameOf(cause),
        {
          kind: 'email',
          to: ['office@example.com'],
          events: ['account_paused'],
          accounts: [nameOf(cause)],
        },
      ]),
    ),
  };
  await cli.write('cartwright.yaml', JSON.stringify({ accounts, notifications, console: { port: 0 } }));
});
afterAll(async () => {
  faulty.stop();
  await mail.stop();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ NODE_EXTRA_CA_CERTS: faulty.ca });

test('doctor says of each fault what is wrong and what to do, by the one table', async () => {
  const { out } = await cli.start(['doctor', '--json'], env()).ended;
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  for (const cause of causes().filter((one) => one !== 'rate_limited')) {
    const account = nameOf(cause);
    const { meaning, advice } = serviceCause(cause, account);
    const found = findings.find((one) => one.account === account && one.advice === advice);
    expect(
      found?.message,
      `${cause}: ${JSON.stringify(findings.filter((one) => one.account === account))}`,
    ).toContain(meaning);
    expect(found?.level).toBe('problem');
  }
});

test('messages and status say the same once a PO was to be ordered', async () => {
  for (const cause of causes()) {
    const inbox = join(cli.folder, 'cartwright-data', 'accounts', nameOf(cause), 'inbox');
    await mkdir(inbox, { recursive: true });
    await writeFile(join(inbox, 'orders.csv'), 'po_number,item_sku,quantity\nPO-1,A-1,1\n');
  }
  const up = cli.start(['up'], env());
  const told = () => mail.mails.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n');
  const untold = () =>
    causes().filter((cause) => !told().includes(serviceCause(cause, nameOf(cause)).advice));
  // A pause is notified after a minute.
  await expect.poll(untold, { timeout: 150_000 }).toEqual([]);
  const { out } = await cli.start(['status', '--check', '--json'], env()).ended;
  up.child.kill('SIGTERM');
  await up.ended;
  const { problems } = JSON.parse(out) as { problems: { code: string; account: string; message: string }[] };
  for (const cause of causes()) {
    const { advice } = serviceCause(cause, nameOf(cause));
    const paused = problems.find(
      ({ code, account }) => code === 'account_paused' && account === nameOf(cause),
    );
    if (cause !== 'rate_limited') expect(paused?.message, cause).toContain(advice);
  }
});

test('every cause has a meaning, an advice and a remedy of its own, in words of a browser where one has only that', () => {
  const all = pauseCodes.map((code) => serviceCause(code, 'north'));
  for (const part of ['meaning', 'advice'] as const)
    expect(new Set(all.map((one) => one[part])).size).toBe(pauseCodes.length);
  for (const { remedy, advice } of all) {
    expect(remedy).not.toMatch(/accounts\.|cartwright |baseUrl/);
    expect(advice).not.toContain('NAME');
  }
});
