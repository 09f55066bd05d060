import { expect, test } from 'vitest';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

test('a reload changes a running worker, refuses what is wrong, and drops no work', async () => {
  const service = await startService(cli.databaseUrl);
  const account = (more: string) => `worker: { lease: 4s }
console: { port: 0 }
accounts: { default: { baseUrl: "${service.url}", fileSettle: 100ms, ${more} } }
`;
  const listed = async () => JSON.parse((await cli.run('schedule', '--json')).out);
  try {
    // Every day is closed, so that nothing starts yet.
    const days = '[sun, mon, tue, wed, thu, fri, sat]';
    await cli.write('cartwright.yaml', account(`schedule: { closedOn: ${days} }`));
    const worker = cli.start(['work']);
    await worker.printed('Working.');
    await cli.write('one.csv', 'po_number,item_sku,quantity\nR-1,SKU-1,2\n');
    expect((await cli.run('import', 'one.csv')).exitCode).toBe(0);
    const counts = async () => JSON.parse((await cli.run('status', '--json')).out).accounts[0].states;
    await expect.poll(counts, { timeout: 30_000 }).toEqual({ ready: 1 });
    const status = await cli.run('status');
    expect(status.out).toMatch(
      /default: closed now, so files and orders wait: .* is a day in\s+schedule\.closedOn/,
    );
    expect((await listed()).closed).toHaveLength(1);

    const wrong = account('schedule: { statusReport: "0 25 * * *" }');
    await cli.write('cartwright.yaml', wrong);
    const refused = await cli.run('reload');
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain('accounts.default.schedule.statusReport: must be a cron pattern that runs');
    worker.child.kill('SIGHUP');
    await worker.printed('The configuration was not reloaded, and the one before stays in use');
    expect((await fetch(`${service.url}/orders/R-1`)).status).toBe(404);

    await cli.write('cartwright.yaml', account('readLag: 10ms, schedule: { statusReport: "0 7 * * *" }'));
    const reloaded = await cli.run('reload', '--json');
    expect(reloaded.exitCode).toBe(0);
    expect(JSON.parse(reloaded.out).workers).toEqual([
      {
        host: expect.any(String),
        pid: worker.child.pid,
        answered: true,
        refused: false,
        note: 'Reloaded accounts.default.schedule. These need a restart: accounts.default.readLag.',
      },
    ]);
    const ordered = async () => (await fetch(`${service.url}/orders/R-1`)).status;
    await expect.poll(ordered, { timeout: 45_000 }).toBe(200);

    const run = await cli.run('schedule', 'run', 'default/statusReport');
    expect([run.exitCode, run.out]).toEqual([0, 'Done: default/statusReport.\n']);
    expect(await listed()).toMatchObject({
      closed: [],
      schedules: [
        { name: 'default/poll', timing: 'every 5 min', next: expect.any(String) },
        {
          name: 'default/statusReport',
          timing: 'every day at 07:00 (UTC)',
          next: expect.stringMatching(/T07:00:00.000Z$/),
          result: 'done',
          last: expect.any(String),
        },
        {
          name: 'prune',
          account: null,
          timing: 'every day at 02:30 (UTC)',
          next: expect.stringMatching(/T02:30/),
        },
      ],
    });
    worker.child.kill('SIGTERM');
    expect((await worker.ended).exitCode).toBe(0);
    const [po] = JSON.parse((await cli.run('status', 'R-1', '--json')).out).purchaseOrders;
    expect(po.orders).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

test.each([
  ['north/statusReport', 'There is no account north'],
  ['report', 'report is no schedule'],
  ['default/everything', 'default/everything is no schedule'],
  ['default/poll', 'The account default has no service address'],
])('schedule run %s is refused: %s', async (name, why) => {
  await cli.write('cartwright.yaml', 'accounts: { default: {} }\n');
  const refused = await cli.run('schedule', 'run', name);
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toContain(why);
});
