import { afterAll, expect, vi } from 'vitest';

/** Which programs listen to. Libraries also wait for the end of a process, once in each. */
const watched = ['SIGHUP', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const;

/** What the test files of a worker share, beside the modules: the process itself. */
const sharedState = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  umask: process.umask(),
  listeners: Object.fromEntries(watched.map((name) => [name, process.listenerCount(name)])),
  timersAreFake: vi.isFakeTimers(),
});

// Runs for each test file before its own hooks, so its check comes after theirs.
const before = sharedState();
afterAll(() => {
  expect(sharedState(), 'this file leaves the process as it found it').toEqual(before);
});
