import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { useCliFolder } from '../cli/use-cli-folder.ts';
import { startMailServer } from '../notify/receivers.ts';
import { mountSmall, unmount } from '../support/as-nobody.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';

const cli = useCliFolder();
let mail: Awaited<ReturnType<typeof startMailServer>>;
let sshd: TestSshd | undefined;
let consolePort: number;

/** The expected part of each text about a fault; null: none, because it checks something else. */
interface Row {
  fault: string;
  account: string;
  /** Also in `status --check`, and in the console, which uses the same list; `later`: only in `status` and on Today. */
  check: RegExp | null;
  status: RegExp;
  doctor: RegExp | null;
  mail: RegExp | null;
}

const rows: Row[] = [
  {
    fault: 'a file that nobody has said the meaning of',
    account: 'unknown-file',
    check:
      /unknown-file: odd\.csv waits since .*: .*Open import \d+ in the console, or run `cartwright map --import \d+`/,
    status: /odd\.csv waits since/,
    doctor: null,
    mail: /odd\.csv waits for somebody to say what it means/,
  },
  {
    fault: 'a folder in the inbox',
    account: 'folder',
    check: /folder: north \(since .*\): north is a folder, and files in folders of the inbox are not read/,
    status: /north is a folder/,
    doctor: null,
    mail: /north cannot be picked up|files in folders of the inbox are not read/,
  },
  {
    fault: 'a workbook that is cut off',
    account: 'cut-file',
    check: null,
    status: /cut-file: cut\.xlsx was refused: .*cartwright settle --import \d+/,
    doctor: null,
    mail: /cut\.xlsx was refused/,
  },
  {
    fault: 'a PO that comes again with other quantities',
    account: 'held',
    check: /held: 1 PO held\. 1 as \w+: .*\./,
    status: /held: 1 PO held/,
    doctor: null,
    mail: /BIG-1 is held/,
  },
  {
    fault: 'a row that is wrong',
    account: 'wrong-row',
    check: null,
    status: /wrong-row: PO BAD-1 rejected in wrong\.csv.*cartwright settle/,
    doctor: null,
    mail: /BAD-1 was rejected/,
  },
  {
    fault: 'the folder of another account',
    account: 'mixed-folder',
    check: /mixed-folder: .* is not the folder of the account mixed-folder/,
    status: /is not the folder of the account mixed-folder/,
    doctor: /is not the folder of the account|identity|another/,
    mail: null,
  },
  {
    fault: 'a missing secret',
    account: 'no-secret',
    check:
      /no-secret: The environment variable NIGHT_TOKEN, named by accounts\.no-secret\.auth\.secretEnv, is not set/,
    status: /NIGHT_TOKEN, named by/,
    doctor: /NIGHT_TOKEN, named by accounts\.no-secret\.auth\.secretEnv, is not set/,
    mail: null,
  },
  {
    fault: 'a disk that is nearly full',
    account: '',
    check: /The disk with .* is nearly full/,
    status: /The disk with .* is nearly full/,
    doctor: null,
    mail: /The disk with .* is nearly full/,
  },
  {
    fault: 'a backup that cannot be written',
    account: '',
    check: /The backup of the ledger .*/,
    status: /The backup of the ledger/,
    doctor: /backup/i,
    mail: /The backup of the ledger .* was not made/,
  },
  {
    fault: 'a changed host key',
    account: 'sftp',
    check: /sftp: .*host key/,
    status: /host key/,
    doctor: /host key/,
    mail: /sftp.*host key|Files cannot be exchanged by SFTP/i,
  },
];

const inbox = (account: string) => join(cli.folder, 'cartwright-data', 'accounts', account, 'inbox');

const settingsOf = (account: string): object => {
  switch (account) {
    case 'no-secret':
      return { auth: { kind: 'bearer', secretEnv: 'NIGHT_TOKEN' } };
    case 'sftp':
      return sshd
        ? {
            sftp: {
              host: '127.0.0.1',
              port: sshd.server.port,
              user: sshd.server.user,
              hostKey: `SHA256:${'A'.repeat(43)}`,
              auth: { kind: 'key', secretFile: sshd.privateKeyFile },
              fetch: { folder: 'out' },
              every: '5s',
            },
          }
        : {};
    case 'small-disk':
      return { folder: small };
    default:
      return {};
  }
};

let all: Row[];
/** The disk of one account. */
let small: string | undefined;

beforeAll(async () => {
  mail = await startMailServer();
  sshd = await startSshd();
  const disk = join(cli.folder, 'small');
  await mkdir(disk);
  if (mountSmall(disk, '4m')) {
    small = disk;
    await writeFile(join(disk, 'much'), Buffer.alloc(3.8 * 1024 * 1024));
  }
  // Without sshd or the right to mount, which CI requires, these faults are skipped.
  all = rows.filter(({ account, fault }) =>
    account === 'sftp' ? sshd : small !== undefined || fault !== 'a disk that is nearly full',
  );
  consolePort = await findFreePort();
  const names = [...all.flatMap(({ account }) => account || []), ...(small ? ['small-disk'] : [])];
  const accounts = Object.fromEntries(
    names.map((name, at) => [
      name,
      { baseUrl: `http://127.0.0.1:9/${at}`, fileSettle: '0s', auth: { kind: 'none' }, ...settingsOf(name) },
    ]),
  );
  await writeFile(join(cli.folder, 'no-folder'), '');
  await cli.write(
    'cartwright.yaml',
    JSON.stringify({
      accounts,
      console: { port: consolePort },
      backup: { folder: 'no-folder/backups', at: '* * * * *' },
      notifications: {
        smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'cartwright@example.com' },
        routes: { office: { kind: 'email', to: ['office@example.com'] } },
      },
    }),
  );
});
afterAll(async () => {
  await mail.stop();
  await sshd?.stop();
  if (small) unmount(small);
});

const drop = async (account: string, name: string, text: string | Buffer): Promise<void> => {
  await mkdir(inbox(account), { recursive: true });
  await writeFile(join(inbox(account), name), text);
};

test('what status, the console, doctor and a message say of each fault', async () => {
  await mkdir(join(inbox('folder'), 'north'), { recursive: true });
  await drop('unknown-file', 'odd.csv', 'Beleg;Was;Stk\nX-1;A-1;2\n');
  await drop('cut-file', 'cut.xlsx', Buffer.from('PK\u0003\u0004 and nothing else'));
  await drop('cut-file', 'cut.xlsx.done', '');
  await drop('held', 'one.csv', 'po_number,item_sku,quantity\nBIG-1,A-1,2\n');
  await drop('held', 'two.csv', 'po_number,item_sku,quantity\nBIG-1,A-1,3\n');
  await drop('wrong-row', 'wrong.csv', 'po_number,item_sku,quantity\nBAD-1,A-1,none\n');
  const up = cli.start(['up']);
  await up.printed('Press Ctrl-C to stop.');
  // Somebody mounted the wrong folder.
  const folderOf = (account: string) => join(cli.folder, 'cartwright-data', 'accounts', account);
  await rm(join(folderOf('mixed-folder'), '.cartwright-folder'));
  const { token } = JSON.parse((await cli.run('tokens', 'add', 'night', '--json')).out);

  const told = () => mail.mails.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n');
  const problems = async () =>
    (JSON.parse((await cli.run('status', '--check', '--json')).out).problems as { message: string }[])
      .map(({ message }) => message)
      .join('\n');
  /** All of it: the text names the first ten. */
  const inStatus = async () => {
    const answer = JSON.parse((await cli.run('status', '--json')).out);
    return [...answer.problems, ...answer.notOrdered].map(({ message }) => message).join('\n');
  };
  const inConsole = async () => {
    const answer = await fetch(`http://127.0.0.1:${consolePort}/api/v1/problems`, {
      headers: { authorization: `Bearer ${token.secret}` },
    });
    return ((await answer.json()) as { problems: { message: string }[] }).problems
      .map(({ message }) => message)
      .join('\n');
  };
  const missing = async () => {
    const [mails, checked, shown, status] = [told(), await problems(), await inConsole(), await inStatus()];
    const says = (text: string, wanted: RegExp | null) => wanted === null || wanted.test(text);
    return all.flatMap(({ fault, ...row }) => [
      ...(says(checked, row.check) ? [] : [`status --check: ${fault}`]),
      ...(says(shown, row.check) ? [] : [`console: ${fault}`]),
      ...(says(status, row.status) ? [] : [`status: ${fault}`]),
      ...(says(mails, row.mail) ? [] : [`mail: ${fault}`]),
    ]);
  };
  await expect.poll(missing, { timeout: 300_000, interval: 3_000 }).toEqual([]);

  const { findings } = JSON.parse((await cli.run('doctor', '--json')).out) as { findings: Finding[] };
  for (const { fault, account, doctor } of all) {
    if (doctor === null) continue;
    const found = findings.filter((one) => one.level === 'problem' && (one.account ?? '') === account);
    expect(found.map(({ message, advice }) => `${message} ${advice}`).join('\n'), fault).toMatch(doctor);
  }
  up.child.kill('SIGTERM');
  await up.ended;
  // No process is left to send a message; the health check covers that.
  expect(await problems()).toMatch(/^No worker is running\. Start one with `cartwright up`\./);
});
