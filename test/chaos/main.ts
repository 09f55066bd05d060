// Chaos as a program: `npm run chaos [-- --small] [--queue redis|postgres] [--seed N]`. Ends with a summary,
// and with exit code 1 if a promise was not kept.
import { parseArgs } from 'node:util';
import { startRedis } from '../support/redis.ts';
import { smallChaos, wholeChaos } from './plan.ts';
import { type ChaosResult, runChaos } from './run-chaos.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    queue: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const plan = values.small ? smallChaos : wholeChaos;
const results: ChaosResult[] = [];
const stop = new AbortController();
process.once('SIGINT', () => {
  print('stopping all processes');
  stop.abort();
});
for (const queue of ['redis', 'postgres']) {
  if (values.queue !== undefined && values.queue !== queue) continue;
  const redis = queue === 'redis' ? await startRedis() : undefined;
  if (queue === 'redis' && !redis) {
    print('Redis: skipped, this machine has no redis-server');
    continue;
  }
  print(`queue on ${queue}`);
  try {
    results.push(await runChaos({ plan, redis, seed: Number(values.seed), print, signal: stop.signal }));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await redis?.stop();
  }
  if (stop.signal.aborted) process.exit(130);
}
print('');
for (const { lines } of results) for (const line of lines) print(line);
const failures = results.flatMap(({ failures }) => failures);
for (const failure of failures) print(`NOT KEPT: ${failure}`);
process.exitCode = failures.length > 0 || results.length === 0 ? 1 : 0;
