import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isFromOutside, UserError, withSubject } from '../src/errors.ts';
import type { Logger } from '../src/logger.ts';
import { createProblemLog } from '../src/queue/problem-log.ts';
import { createHeardLogger } from './support/heard-logger.ts';

const coded = (code: string, message = 'a message', name = 'Error'): Error =>
  Object.assign(new Error(message), { code, name });

const outside: [string, Error][] = [
  ['a full disk', coded('ENOSPC', 'ENOSPC: no space left on device, write')],
  ['a Postgres that shuts down', coded('57P01', 'terminating connection due to administrator command')],
  ['a Postgres without a disk', coded('53100')],
  ['a refused connection', coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432')],
  ['one that is refused at every address', new AggregateError([coded('ECONNREFUSED')])],
  ['a time-out of got', coded('ETIMEDOUT', 'Timeout awaiting response', 'TimeoutError')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['a certificate for another name', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['a failed fetch', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') })],
  ['something for a person', new UserError('no_folder', 'The folder is not here.')],
];
const bugs: [string, unknown][] = [
  ['a type error', new TypeError('x is not a function')],
  ['a wrong statement', coded('42703', 'column "x" does not exist')],
  ['a value that a constraint refuses', coded('23505')],
  ['a wrong argument', Object.assign(new TypeError(), { code: 'ERR_INVALID_ARG_TYPE' })],
  ['several, of which one is a bug', new AggregateError([coded('ECONNREFUSED'), new TypeError()])],
];

test.each(outside)('%s comes from outside', (_, thrown) => expect(isFromOutside(thrown)).toBe(true));
test.each(bugs)('%s does not', (_, thrown) => expect(isFromOutside(thrown)).toBe(false));

/** The output of the real logger, run in a separate process because it writes to standard error. */
const logged = (level: string, thrown: string): Record<string, unknown> => {
  const program = `import { createLogger } from './src/logger.ts';
    createLogger({ level: '${level}', readable: false }).warn({ err: ${thrown}, account: 'north' }, 'what happened');`;
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return JSON.parse(stderr);
};

const full = `Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })`;

test('a log line has the stack trace of a bug, and of anything else only with --verbose', () => {
  expect(logged('info', full)).toMatchObject({
    account: 'north',
    code: 'ENOSPC',
    reason: 'ENOSPC: no space left on device, write',
    msg: 'what happened',
  });
  expect(logged('info', full)).not.toHaveProperty('err');
  expect(logged('debug', full)).toMatchObject({ err: { stack: expect.stringContaining('at ') } });
  expect(logged('info', `new TypeError('oops')`)).toMatchObject({
    err: { stack: expect.stringContaining('at ') },
  });
});

test('a retried job names account and file, each once; a server that is gone is one line for all accounts', () => {
  const { logger, lines } = createHeardLogger();
  const problems = createProblemLog(logger as Logger);
  const warn = (thrown: Error, account: string, file: string) =>
    problems.warn('write-report', withSubject(thrown, { account, file }), 'A job failed and will be retried');
  for (const file of ['a.csv', 'b.csv', 'a.csv'])
    warn(Object.assign(coded('EACCES'), { path: `/north/${file}` }), 'north', file);
  expect(lines).toMatchObject([
    { account: 'north', file: 'a.csv' },
    { account: 'north', file: 'b.csv' },
  ]);
  for (const account of ['north', 'south', 'west']) warn(coded('ECONNREFUSED'), account, 'a.csv');
  expect(lines).toHaveLength(3);
});

test('in a sandbox the commands in messages and reasons are for the sandbox', () => {
  const program = `import { createLogger } from './src/logger.ts';
    import { forSandbox } from './src/cli/sandbox-words.ts';
    createLogger({ level: 'info', readable: false, words: forSandbox })
      .child({ account: 'north' })
      .warn({ reason: 'Run \`cartwright status\`.' }, 'See \`cartwright doctor\`');`;
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(JSON.parse(stderr)).toMatchObject({
    account: 'north',
    reason: 'Run `cartwright status --sandbox`.',
    msg: 'See `cartwright doctor --sandbox`',
  });
});
