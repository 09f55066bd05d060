import type pg from 'pg';

/** What pg's Client has and its types leave out. */
interface ClientInternals {
  connection: { stream: { destroy(): void } };
}

const tooManyConnections = '53300';

/**
 * Whether Postgres answers now, asked on a connection of its own: those of the pool may all wait for it. A server that is
 * frozen or cut off keeps its connections open and never answers on them, so only the time tells.
 * @param limitMs no answer after this long is none
 */
const answersWithin = async (pool: pg.Pool, limitMs: number): Promise<boolean> => {
  const { Client, options } = pool as unknown as {
    Client: new (options: object) => pg.Client;
    options: object;
  };
  const client = new Client(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const asked = client.connect().then(
    // Postgres lets a pooler log in without it, so only a query shows that the server answers.
    () => client.query('select 1').then(() => true),
    // A server that has no room answers all the same.
    (error: { code?: unknown }) => error.code === tooManyConnections,
  );
  try {
    return await Promise.race([asked.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
    (client as unknown as ClientInternals).connection.stream.destroy();
  }
};

/** Asks on behalf of many at once. */
export const createPulse = (pool: pg.Pool, limitMs: number) => {
  let asking: Promise<boolean> | undefined;
  let answered = true;
  return {
    /** Whether Postgres answers now. */
    check: (): Promise<boolean> => {
      asking ??= answersWithin(pool, limitMs)
        .then((does) => {
          answered = does;
          return does;
        })
        .finally(() => {
          asking = undefined;
        });
      return asking;
    },
    /** Whether it answered when it was asked last. */
    answeredLast: (): boolean => answered,
  };
};
