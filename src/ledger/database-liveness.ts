import type pg from 'pg';
import { ownTime } from './own-time.ts';

/** Fields of pg's Client that its types lack. */
interface ClientInternals {
  connection: { stream: { destroy(): void } };
}

const tooManyConnections = '53300';

/** Whether Postgres answers. `starved`: this process is too busy to notice it, so nothing is known. */
export type Liveness = 'answers' | 'silent' | 'starved';

/** Stop waiting for this busy process after this many times the limit. */
const patience = 4;

/**
 * Whether Postgres answers now, on a separate connection, because all connections of the pool may be waiting for it. A frozen or
 * unreachable server keeps connections open without answering, so only a timeout detects it.
 * @param limitMs a query times out after this long, while this process itself is not busy
 */
const answersWithin = async (pool: pg.Pool, limitMs: number): Promise<Liveness> => {
  const { Client, options } = pool as unknown as {
    Client: new (options: object) => pg.Client;
    options: object;
  };
  const client = new Client(options);
  const own = ownTime(limitMs, patience * limitMs);
  const late = own.passed.then((time): Liveness => (time === 'over' ? 'silent' : 'starved'));
  const asked = client.connect().then(
    // Postgres lets a pooler log in without it, so only a query shows that the server answers.
    (): Promise<Liveness> => client.query('select 1').then(() => 'answers'),
    // "Too many connections" is an answer, too.
    (error: { code?: unknown }): Liveness => (error.code === tooManyConnections ? 'answers' : 'silent'),
  );
  try {
    return await Promise.race([asked.catch((): Liveness => 'silent'), late]);
  } finally {
    own.stop();
    (client as unknown as ClientInternals).connection.stream.destroy();
  }
};

/** Shares one check among concurrent callers. */
export const watchDatabase = (pool: pg.Pool, limitMs: number) => {
  let asking: Promise<Liveness> | undefined;
  let answered = true;
  return {
    /** Whether Postgres answers now. */
    check: (): Promise<Liveness> => {
      asking ??= answersWithin(pool, limitMs)
        .then((does) => {
          answered = does !== 'silent';
          return does;
        })
        .finally(() => {
          asking = undefined;
        });
      return asking;
    },
    /** False: the last check got no answer. */
    answeredLast: (): boolean => answered,
  };
};
