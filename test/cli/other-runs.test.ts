import { expect, test } from 'vitest';
import { readOtherRuns } from '../../src/cli/other-runs.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { insertImport, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();

test('summaries and expected files have a last run and a result', async () => {
  const { pool } = ledger;
  const [account] = loadConfig({}, {}).accounts;
  const expecting = (name: string) => ({
    ...account!,
    name,
    schedule: { ...account!.schedule, expectFiles: '30 9 * * *' },
  });
  const now = new Date('2026-11-23T12:00:00Z');
  await insertImport(pool, { account: 'came', taken_at: new Date('2026-11-23T08:00:00Z') });
  await insertImport(pool, { account: 'absent', taken_at: new Date('2026-11-20T08:00:00Z') });
  await pool.query(
    `insert into notifications (route, sections, kinds, due_at, delivered_at, last_error) values
       ('office', '[]', '{summary}', now(), now(), null), ('down', '[]', '{summary}', now(), null, 'It is down.')`,
  );
  const runs = await readOtherRuns(pool, [expecting('came'), expecting('absent')], now);
  const at = new Date('2026-11-23T09:30:00Z');
  expect(runs.get('came/expectFiles')).toEqual({ at, result: 'done', note: null });
  expect(runs.get('absent/expectFiles')).toMatchObject({ at, result: 'failed' });
  expect(runs.get('summary to office')).toMatchObject({ result: 'done', note: null });
  expect(runs.get('summary to down')).toMatchObject({ result: 'failed', note: 'It is down.' });
});
