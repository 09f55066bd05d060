import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';

const folder = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url));
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;

test.skipIf(isMissing && !process.env.CI)('systemd accepts the units without a complaint', () => {
  expect(units).toHaveLength(4);
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', ...units.map((name) => folder + name)],
    { encoding: 'utf8', env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' } },
  );
  // Warnings about the machine's own units do not matter.
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

test.skipIf(isMissing && !process.env.CI)('the units leave a service few rights', () => {
  for (const name of units) {
    const { status, stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=yes', '--threshold=30', folder + name],
      { encoding: 'utf8' },
    );
    expect(stdout).toMatch(/Overall exposure level/);
    expect({ name, status }).toEqual({ name, status: 0 });
  }
});

test('systemd waits for readiness, however long a migration takes, and restarts what hangs', () => {
  for (const name of units) {
    const text = readFileSync(folder + name, 'utf8');
    for (const line of ['Type=notify', 'NotifyAccess=all', 'TimeoutStartSec=infinity', 'WatchdogSec=120'])
      expect(text.split('\n')).toContain(line);
  }
});
