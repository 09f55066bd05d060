import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { explainError } from '../../src/console/explain-error.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const change = { method: 'POST', routeOptions: { config: {} }, begun: true } as unknown as FastifyRequest;

/** The errors of the one of two conflicting transactions that waits for the other. */
const losers: Record<string, (one: string, other: string) => Promise<unknown>> = {
  'a deadlock': async (one, other) => {
    const [a, b] = [await ledger.pool.connect(), await ledger.pool.connect()];
    try {
      for (const client of [a, b]) await client.query('begin');
      await a.query('select pg_advisory_xact_lock(hashtext($1))', [one]);
      await b.query('select pg_advisory_xact_lock(hashtext($1))', [other]);
      const ends = await Promise.allSettled([
        a.query('select pg_advisory_xact_lock(hashtext($1))', [other]),
        b.query('select pg_advisory_xact_lock(hashtext($1))', [one]),
      ]);
      return ends.find((end) => end.status === 'rejected')?.reason;
    } finally {
      for (const client of [a, b]) client.release(true);
    }
  },
  'a lock that another one keeps': async (one) => {
    const [a, b] = [await ledger.pool.connect(), await ledger.pool.connect()];
    try {
      for (const client of [a, b]) await client.query('begin');
      await a.query('select pg_advisory_xact_lock(hashtext($1))', [one]);
      await b.query(`set local lock_timeout = '10ms'`);
      return await b
        .query('select pg_advisory_xact_lock(hashtext($1))', [one])
        .catch((error: unknown) => error);
    } finally {
      for (const client of [a, b]) client.release(true);
    }
  },
};

test.each(Object.entries(losers))(
  '%s is no defect: nothing was done, and trying again helps',
  async (name, lose) => {
    const thrown = (await lose(`${name} one`, `${name} other`)) as Error;
    const { code, details } = explainError(thrown, change);
    expect([code, details.detail]).toEqual([
      'unavailable',
      expect.stringMatching(/was not done\. Try again\.$/),
    ]);
  },
);

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('a connection that pg has lost is no mistake of ours: %s', (message) => {
  const read = { method: 'GET', routeOptions: { config: {} } } as unknown as FastifyRequest;
  expect(explainError(new Error(message), read)).toMatchObject({ code: 'unavailable' });
});
