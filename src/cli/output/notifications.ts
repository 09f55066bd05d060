import type { RouteState } from '../../ledger/notifications.ts';
import type { Route } from '../../notify/settings.ts';
import { count, showTime } from './show-text.ts';
import type { Terminal } from './terminal.ts';

/** The states of configured routes, and of others with undelivered messages. For routes that cannot send at all, that is their last failure. */
export const withUnusable = (states: readonly RouteState[], routes: readonly Route[]): RouteState[] => {
  const unusable = routes.flatMap(({ name, channel }) =>
    channel.kind === 'unusable' ? [{ name, message: channel.message }] : [],
  );
  const isConfigured = (name: string) => routes.some((route) => route.name === name);
  const shown = states.filter(({ route, waiting, givenUp }) => isConfigured(route) || waiting + givenUp > 0);
  const changed = shown.map((state) => {
    const found = unusable.find(({ name }) => name === state.route);
    return found ? { ...state, lastError: found.message } : state;
  });
  const added = unusable
    .filter(({ name }) => !states.some(({ route }) => route === name))
    .map(({ name, message }) => ({
      ...{ route: name, waiting: 0, givenUp: 0, lastError: message },
      ...{ failingSince: undefined, deliveredAt: undefined },
    }));
  return [...changed, ...added];
};

/** Why a route's notifications are not delivered, in sentences. */
export const routeTroubles = ({
  route,
  waiting,
  failingSince,
  lastError,
  givenUp,
  givenUpKinds = [],
}: RouteState): string[] => [
  ...(lastError !== undefined && (waiting > 0 || givenUp === 0)
    ? [
        `Notifications to ${route} are not delivered${failingSince ? ` since ${showTime(failingSince)}` : ''}${waiting > 0 ? ` (${count(waiting, 'message')} waiting)` : ''}: ${lastError}`,
      ]
    : []),
  ...(givenUp > 0
    ? [
        `${count(givenUp, 'notification')} to ${route} ${givenUp === 1 ? 'was' : 'were'} given up in the last 7 days${givenUpKinds.length > 0 ? ` (about ${givenUpKinds.join(', ')})` : ''}${lastError !== undefined && waiting === 0 ? `: ${lastError}` : ''}. Send a test message with \`cartwright notify --test --route ${route}\`.`,
      ]
    : []),
];

/** The lines of `status` about working routes. Failing ones are problems. */
export const drawRoutes = (terminal: Terminal, routes: readonly RouteState[]): string[] =>
  routes.flatMap((state) => {
    if (routeTroubles(state).length > 0) return [];
    const { route, waiting, deliveredAt } = state;
    const parts = [
      deliveredAt && `last delivered ${showTime(deliveredAt)}`,
      waiting > 0 && `${count(waiting, 'message')} waiting`,
    ].filter((part) => typeof part === 'string');
    return parts.length === 0 ? [] : [terminal.wrap(`Notifications to ${route}: ${parts.join(', ')}`)];
  });
