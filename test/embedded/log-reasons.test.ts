import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLogReasons } from '../../src/embedded/log-reasons.ts';

test('what ended the server is read from its own log: the last errors since its start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'postgres-Mon.log'),
    `2026-11-23 23:59:59.000 UTC [1]  FATAL:  an earlier start
2026-11-24 00:00:01.000 UTC [2]  LOG:  starting PostgreSQL
2026-11-24 00:00:01.100 UTC [2]  FATAL:  could not write lock file "postmaster.pid": No space left on device
2026-11-24 00:00:02.000 UTC [3] cartwright FATAL:  the same again
`,
  );
  await writeFile(
    join(folder, 'start.log'),
    '2026-11-24 00:00:01.000 UTC [2]  FATAL:  not of the server itself\n',
  );
  expect(await readLogReasons(folder, new Date('2026-11-24T00:00:00Z'))).toEqual([
    'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    'FATAL:  the same again',
  ]);
  expect(await readLogReasons(join(folder, 'none'), new Date(0))).toEqual([]);
});
