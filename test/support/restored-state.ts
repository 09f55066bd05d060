import { afterAll, expect, vi } from 'vitest';

/** The events that programs listen to. Not `exit`, which libraries also listen to, once in each process. */
const watched = ['SIGHUP', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const;

/** State of the process, which the test files of a worker share. */
const sharedState = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  umask: process.umask(),
  listeners: Object.fromEntries(watched.map((name) => [name, process.listenerCount(name)])),
  timersAreFake: vi.isFakeTimers(),
});

// Runs before each test file's own hooks, so its check runs after theirs.
const before = sharedState();
afterAll(() => {
  expect(sharedState(), 'this file leaves the process as it found it').toEqual(before);
});
