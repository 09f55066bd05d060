// The services of a chaos run, in a separate process, so that a busy test never delays them. argv[2] is JSON: ServicesOrder. Answers
// each message of its parent process with one; ends with the parent.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { startService } from '../support/run-system.ts';
import { noteArrivals } from './arrivals.ts';

export interface ServicesOrder {
  databaseUrl: string;
  /** The settings of each service. */
  services: object[];
}

export type ServicesMessage = { id: number } & (
  | { ask: 'replace'; rules: FaultRuleInput[][] }
  | { ask: 'given' }
  | { ask: 'stop' }
);

export interface ServicesAnswer {
  /** ID of the message; 0: the services have started. */
  id: number;
  urls: string[];
  /** How many faults each service has given since its rules were replaced. */
  given: number[];
  /** The longest time for which this process's event loop was blocked since its start. */
  longestDelayMs: number;
}

const order = JSON.parse(process.argv[2]!) as ServicesOrder;
noteArrivals();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const started = await Promise.all(order.services.map((config) => startService(order.databaseUrl, config)));
const answer = (id: number): void => {
  const given = started.map(({ faults }) => faults.list().reduce((sum, entry) => sum + entry.given, 0));
  const urls = started.map(({ url }) => url);
  process.send!({ id, urls, given, longestDelayMs: delay.max / 1e6 } satisfies ServicesAnswer);
};
process.on('disconnect', () => process.exit(1));
process.on('message', async (message: ServicesMessage) => {
  if (message.ask === 'replace') {
    for (const [at, rules] of message.rules.entries()) started[at]!.faults.replace(rules);
  }
  if (message.ask === 'stop') await Promise.all(started.map((service) => service.stop()));
  answer(message.id);
});
answer(0);
