import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const load = (text: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cartwright-ignored-')), 'cartwright.yaml');
  writeFileSync(file, text);
  return loadConfig({ file }, {});
};

test('a setting that was removed is named, with what happens instead, and the file still works', () => {
  const config = load('worker:\n  jobPerStage: always\n  sweepEvery: 7s\n');
  expect(config.worker.sweepEveryMs).toBe(7000);
  expect(config.ignored).toEqual([
    'The setting worker.jobPerStage has no effect any more: one job takes a PO to its order; with `console.queues.readOnly: false`, where people pause queues, each stage is a job of its own. Remove it.',
  ]);
});

test('a file with present settings only says nothing, and an unknown one is still refused', () => {
  expect(load('worker:\n  sweepEvery: 7s\n').ignored).toEqual([]);
  expect(() => load('worker:\n  jobPerStages: always\n')).toThrow(/jobPerStages/);
});
