import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';

const folder = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url));
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;

test.skipIf(isMissing && !process.env.CI)('systemd accepts the units without a complaint', () => {
  expect(units).toHaveLength(2);
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', ...units.map((name) => folder + name)],
    { encoding: 'utf8', env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' } },
  );
  // The machine's own units may be complained about; ours are not.
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('cartwright'));
  expect({ status, ours }).toEqual({ status: 0, ours: [] });
});

test('the units do not restart what a person has to fix, and wait for running jobs', () => {
  for (const name of units) {
    const text = readFileSync(folder + name, 'utf8');
    const { usage, interrupted } = exitCodes;
    expect(text).toContain(`RestartPreventExitStatus=${usage.code} ${interrupted.code}\n`);
    expect(text).toMatch(/^TimeoutStopSec=60$/m);
  }
});
