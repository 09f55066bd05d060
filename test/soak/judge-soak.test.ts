import { expect, test } from 'vitest';
import { judgeSoak, type Sample, warmUpOf } from './judge-soak.ts';

const minutes = 60_000;
const megabyte = 1024 * 1024;

/** Samples of a worker with constant use and the noise of garbage collection, modified by `change`. */
const series = (change: (minute: number) => Partial<Sample> = () => ({}), runMs = 20 * minutes): Sample[] =>
  Array.from({ length: runMs / 5000 }, (_, at) => {
    const atMs = at * 5000;
    return {
      atMs,
      residentBytes: (200 + ((at * 7) % 9)) * megabyte,
      heapBytes: 90 * megabyte,
      files: 40,
      sockets: 30 + (at % 4),
      handles: 50 + (at % 7),
      cpuMs: at * 100,
      connections: 24 + (at % 3),
      ordered: at * 20,
      ledgerBytes: at * 80_000,
      ledgerRows: at * 200,
      queueRows: 2000 + ((at * 13) % 100),
      ...change(atMs / minutes),
    };
  });
const failed = (samples: Sample[], runMs = 20 * minutes): string[] =>
  judgeSoak(samples, warmUpOf(runMs)).flatMap(({ kept, text }) =>
    kept === false ? text.split(':')[0]! : [],
  );

test('a worker that uses the same all the time is kept in everything', () => {
  expect(judgeSoak(series(), warmUpOf(20 * minutes)).map(({ kept }) => kept)).toEqual(Array(6).fill(true));
});

test('growth while it warms up is not judged', () => {
  const warming = series((minute) => ({
    residentBytes: (120 + 80 * Math.min(1, minute / 4)) * megabyte,
    connections: Math.min(24, 2 + minute * 10),
  }));
  expect(failed(warming)).toEqual([]);
});

test.each([
  ['Resident memory of the worker', (minute: number) => ({ residentBytes: (200 + 1.5 * minute) * megabyte })],
  ['Connections to Postgres', (minute: number) => ({ connections: 20 + Math.floor(minute / 2) })],
  ['Open files of the worker', (minute: number) => ({ files: 40 + Math.floor(minute / 2) })],
  ['Sockets of the worker', (minute: number) => ({ sockets: 30 + Math.floor(minute) })],
  ['Handles of the worker', (minute: number) => ({ handles: 50 + Math.floor(minute * 3) })],
  ['Rows of the job queue', (minute: number) => ({ queueRows: 2000 + minute * 600 })],
])('a planted leak is noticed: %s', (what, leak) => {
  expect(failed(series(leak))).toEqual([what]);
});

test('one large moment is no growth', () => {
  const burst = series((minute) => (minute > 17 && minute < 18 ? { residentBytes: 900 * megabyte } : {}));
  expect(failed(burst)).toEqual([]);
});

test('a run that is too short is not judged, and neither is what the system does not show', () => {
  const short = judgeSoak(series(undefined, 2 * minutes), warmUpOf(2 * minutes));
  expect(short.map(({ kept }) => kept)).toEqual(Array(6).fill(undefined));
  const unseen = judgeSoak(
    series(() => ({ files: undefined, sockets: undefined })),
    warmUpOf(20 * minutes),
  );
  expect(unseen.filter(({ kept }) => kept === undefined).map(({ text }) => text)).toEqual([
    'Open files of the worker: not shown by this system.',
    'Sockets of the worker: not shown by this system.',
  ]);
});
