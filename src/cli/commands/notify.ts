import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import { sendMessage } from '../../notify/send-message.ts';
import type { Route } from '../../notify/settings.ts';
import { showText } from '../output/show-text.ts';
import { drawTable, wrapping } from '../output/table.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

/** The selected routes. */
const chooseRoutes = ({ notifications }: Config, name: string | undefined): readonly Route[] => {
  const { routes } = notifications;
  if (routes.length === 0) {
    throw new UserError(
      'no_route',
      'Nobody is notified of anything: the configuration has no notifications.routes. cartwright.example.yaml has examples.',
    );
  }
  // Dealers get a test only if their route is named explicitly.
  const chosen = routes.filter((route) => (name === undefined ? !route.answers : route.name === name));
  if (chosen.length === 0) {
    throw new UserError(
      'unknown_route',
      `There is no route ${name}. Routes: ${routes.map((route) => route.name).join(', ')}.`,
    );
  }
  return chosen;
};

const goalOf = ({ channel }: Route): string => {
  switch (channel.kind) {
    case 'email':
      return channel.to.join(', ');
    case 'webhook':
      return new URL(channel.url).host;
    case 'slack':
    case 'teams':
      // The rest of the address is a secret.
      return `${channel.kind} at ${new URL(channel.url).host}`;
    case 'unusable':
      return 'nowhere';
  }
};

/** Sends a test message on each route; one sentence each. */
const test = async (terminal: Terminal, config: Config, routes: readonly Route[]): Promise<boolean> => {
  const at = new Date();
  const results = await Promise.all(
    routes.map(async (route) => {
      const section = {
        ...{ kind: 'test' as const, account: null, count: 1, counts: {}, first: [] },
        ...{ from: at.toISOString(), until: at.toISOString() },
      };
      const message = { id: randomUUID(), createdAt: at, sections: [section] };
      return { route, sent: await sendMessage(route, message, config.notifications) };
    }),
  );
  terminal.answer({
    routes: results.map(({ route, sent }) => ({
      route: route.name,
      sent: sent.kind === 'sent',
      error: sent.kind === 'sent' ? undefined : sent.message,
    })),
  });
  for (const { route, sent } of results) {
    sayWrapped(
      terminal,
      sent.kind === 'sent'
        ? `${route.name}: sent a test message to ${goalOf(route)}.`
        : `${route.name}: ${terminal.paint('red', 'not sent')}: ${showText(sent.message)}`,
    );
  }
  return results.every(({ sent }) => sent.kind === 'sent');
};

const ofSeverity = { info: 'all', warning: 'warnings and alarms', alarm: 'alarms' };

const showRoutes = (terminal: Terminal, routes: readonly Route[]): void => {
  const shown = routes.map((route) => ({
    route: route.name,
    to: goalOf(route),
    accounts: route.accounts ?? 'all',
    events: route.events ?? ofSeverity[route.severity],
    trouble: route.channel.kind === 'unusable' ? route.channel.message : undefined,
  }));
  terminal.answer({ routes: shown });
  const listed = (list: string | readonly string[]) => (typeof list === 'string' ? list : list.join(', '));
  terminal.say(
    drawTable(
      terminal,
      ['Route', wrapping('Sent to'), wrapping('Accounts'), wrapping('Events')],
      shown.map(({ route, to, accounts, events }) => [route, to, listed(accounts), listed(events)]),
    ),
  );
  for (const { route, trouble } of shown) {
    if (trouble) sayWrapped(terminal, `${route}: ${terminal.paint('red', trouble)}`);
  }
  sayWrapped(
    terminal,
    'Send a test message with --test. `cartwright status` shows what was not delivered.',
    0,
  );
};

export const addNotifyCommand = (program: Command): void => {
  program
    .command('notify')
    .description(
      'Shows the routes of notifications: who is told what. With --test, sends a test message on each of them and says what happened. Workers send notifications; this command needs no database.',
    )
    .option('--test', 'send a test message')
    .option('--route <name>', 'only this route')
    .addHelpText('after', '\nExample:\n  cartwright notify --test --route ops')
    .action(
      runCommand<{ test?: boolean; route?: string }>(
        'task',
        async ({ config, terminal }, _args, { test: isTest, route }) => {
          const routes = chooseRoutes(config, route);
          if (isTest !== true) {
            showRoutes(terminal, routes);
            return 'fine';
          }
          return (await test(terminal, config, routes)) ? 'fine' : 'unreachable';
        },
      ),
    );
};
