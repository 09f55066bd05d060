import type pg from 'pg';
import { ownTime } from './own-time.ts';

/** What pg's Client has and its types leave out. */
interface ClientInternals {
  connection: { stream: { destroy(): void } };
}

const tooManyConnections = '53300';

/** Whether Postgres answers. `starved`: this process is too busy to notice it, so nothing is known. */
export type Liveness = 'answers' | 'silent' | 'starved';

/** A process that is busy for so many times the limit is not waited for any longer. */
const patience = 4;

/**
 * Whether Postgres answers now, asked on a connection of its own: those of the pool may all wait for it. A server that is
 * frozen or cut off keeps its connections open and never answers on them, so only the time tells.
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
    // A server that has no room answers all the same.
    (error: { code?: unknown }): Liveness => (error.code === tooManyConnections ? 'answers' : 'silent'),
  );
  try {
    return await Promise.race([asked.catch((): Liveness => 'silent'), late]);
  } finally {
    own.stop();
    (client as unknown as ClientInternals).connection.stream.destroy();
  }
};

/** Asks on behalf of many at once. */
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
    /** False: it was silent when it was asked last. */
    answeredLast: (): boolean => answered,
  };
};
