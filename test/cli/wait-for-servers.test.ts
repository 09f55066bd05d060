import { expect, test } from 'vitest';
import { stoppedWaiting, waitForServers } from '../../src/cli/wait-for-servers.ts';
import { UserError } from '../../src/errors.ts';

const down = (code: string, cause: unknown) => new UserError(code, 'The server cannot be used.', { cause });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const never = { requested: new Promise<void>(() => {}), isRequested: () => false };

/** Opens after these failures; returns the number of attempts and the messages. */
const open = async (failures: unknown[], patienceMs = 60_000) => {
  let tries = 0;
  const said: string[] = [];
  const result = await waitForServers(
    async () => {
      tries += 1;
      if (failures.length >= tries) throw failures[tries - 1];
      return 'opened';
    },
    { patienceMs, signals: never, tell: (sentence) => void said.push(sentence) },
  ).catch((thrown: Error) => thrown);
  return { tries, said, result };
};

test.each([
  ['a refused connection', down('database_down', refused)],
  [
    'a Postgres that is starting',
    down('database_down', Object.assign(new Error('starting up'), { code: '57P03' })),
  ],
  [
    'a Redis that reads its data',
    down('queue_down', new Error('LOADING Redis is loading the dataset in memory')),
  ],
  ['a replica without its master', down('queue_down', new Error('MASTERDOWN Link with MASTER is down'))],
  ['Sentinels that do not answer', down('queue_down', new Error('All sentinels are unreachable.'))],
])('tries again after %s, and says so once in five seconds', async (_, failure) => {
  const { tries, said, result } = await open([failure, failure]);
  expect({ tries, result }).toEqual({ tries: 3, result: 'opened' });
  expect(said).toEqual(['The server cannot be used. It may still be starting: retrying for 60 s.']);
});

test.each([
  ['a refused password', down('database_down', Object.assign(new Error('no'), { code: '28P01' }))],
  [
    'a database that does not exist',
    down('database_down', Object.assign(new Error('no'), { code: '3D000' })),
  ],
  ['a Redis that is too old', new UserError('queue_unsupported', 'Too old.')],
  ['a defect', new TypeError('x is undefined')],
])('does not wait for what a person has to mend: %s', async (_, failure) => {
  const { tries, result } = await open([failure]);
  expect(tries).toBe(1);
  expect(result).toBe(failure);
});

test('without patience it is tried once', async () => {
  expect((await open([down('database_down', refused)], 0)).tries).toBe(1);
});

test('a stop ends the wait at once', async () => {
  const result = waitForServers(
    async () => {
      throw down('database_down', refused);
    },
    {
      patienceMs: 60_000,
      signals: { requested: Promise.resolve(), isRequested: () => true },
      tell: () => {},
    },
  );
  await expect(result).rejects.toBe(stoppedWaiting);
});
