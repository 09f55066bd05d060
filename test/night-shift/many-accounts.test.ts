import { expect, test } from 'vitest';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { useCliFolder } from '../cli/use-cli-folder.ts';
import { startService } from '../support/run-system.ts';

const cli = useCliFolder();
const accounts = 500;

test('the first start with 500 accounts writes no problem, and a summary instead of 500 inboxes', async () => {
  const service = await startService(cli.databaseUrl);
  try {
    const of = (at: number) => `  dealer-${at}: { baseUrl: "${service.url}/${at}", auth: { kind: none } }`;
    const names = Array.from({ length: accounts }, (_, at) => of(at));
    await cli.write('cartwright.yaml', `console: { port: 0 }\naccounts:\n${names.join('\n')}\n`);
    const up = cli.start(['up']);
    await up.printed('Press Ctrl-C to stop.');
    const pool = createPool(cli.databaseUrl, { max: 1, logger: silentLogger });
    const checked = async () =>
      (
        await pool.query(
          `select count(*)::int as n from schedule_runs where task = 'poll' and ended_at is not null`,
        )
      ).rows[0].n;
    await expect.poll(checked, { timeout: 120_000 }).toBe(accounts);
    await pool.end();
    up.child.kill('SIGTERM');
    const { exitCode, out, err } = await up.ended;
    expect(exitCode).toBe(0);
    expect(out).toContain(`${accounts} accounts. Put purchase files into ACCOUNT/inbox below`);
    expect(out.split('\n').length).toBeLessThan(15);
    const problems = err
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number; msg: string; reason?: string })
      .filter(({ level }) => level >= 40)
      .map(({ msg, reason }) => `${msg}: ${reason}`);
    expect(problems).toEqual([]);
    expect(err).not.toMatch(/deadlock|timeout exceeded/);
  } finally {
    await service.stop();
  }
});
