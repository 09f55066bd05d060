import { beforeEach, expect, test } from 'vitest';
import { pauseByOperator, resumeByOperator } from '../../src/ledger/console/operator-pauses.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const ann = { who: 'Ann', via: 'command line' } as const;
const minute = 60_000;
const database = useTestLedger();

beforeEach(async () => {
  await database.pool.query('truncate account_states');
});

const limited = (ms: number) =>
  createPlacingLedger(database.pool).pauseAccount('default', {
    ...{ code: 'rate_limited', reason: 'answered 429', firstMs: ms, capMs: ms },
  });
const pause = () => pauseByOperator(database.pool, 'default', ann);
const resume = () => resumeByOperator(database.pool, 'default', ann);
const read = async () => {
  const { rows } = await database.pool.query(
    `select pause_code as code, pause_beneath as beneath,
       extract(epoch from paused_until - clock_timestamp()) * 1000 as "leftMs"
     from account_states where account = 'default'`,
  );
  return { ...rows[0], leftMs: Number(rows[0].leftMs) };
};

test('a service that asks for a pause while a person pauses the account is not called earlier after the resume', async () => {
  await pause();
  await limited(10 * minute);
  expect(await read()).toMatchObject({ code: 'operator' });
  await resume();
  const { code, leftMs, beneath } = await read();
  expect({ code, beneath }).toEqual({ code: 'rate_limited', beneath: null });
  expect(leftMs).toBeGreaterThan(9 * minute);
});

test('of pauses before and during that of a person the longest counts', async () => {
  await limited(10 * minute);
  await pause();
  await limited(minute);
  await limited(20 * minute);
  await limited(5 * minute);
  await resume();
  expect((await read()).leftMs).toBeGreaterThan(19 * minute);
});

test('a pause of a person beside which nothing else happened leaves none', async () => {
  await pause();
  await resume();
  expect(await read()).toMatchObject({ code: null });
});
