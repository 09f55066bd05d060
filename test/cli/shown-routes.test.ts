import { expect, test } from 'vitest';
import { withUnusable } from '../../src/cli/output/notifications.ts';
import type { Route } from '../../src/notify/settings.ts';

test('a route that was removed from the configuration is shown while it has undelivered messages', () => {
  const state = (route: string, waiting = 0, givenUp = 0) => ({
    ...{ route, waiting, givenUp, failingSince: undefined, lastError: undefined, deliveredAt: new Date() },
  });
  const routes = [{ name: 'office', channel: { kind: 'slack' } }] as unknown as Route[];
  const shown = withUnusable(
    [state('gone'), state('gone-waiting', 2), state('gone-given-up', 0, 1), state('office')],
    routes,
  );
  expect(shown.map(({ route }) => route)).toEqual(['gone-waiting', 'gone-given-up', 'office']);
});
