import { expect, test } from 'vitest';
import { comparedRows, compareFigures, machineOf, readRecorded } from '../../bench/support/compare.ts';
import { figureRows } from '../../bench/support/figures.ts';

const before = [
  { name: 'wall / ideal', value: 1.1, target: '<= 1.15' },
  { name: 'POs per second', value: 50 },
  { name: 'commits', value: 10 },
  { name: 'first paint', value: 584.2, unit: 'ms' },
  { name: 'kept', value: 0.98, target: '>= 0.97' },
  { name: 'skipped', value: 'this machine has no redis-server' },
];
const section = `## place\n\nNode v20.20.2, 2 cores (AMD EPYC), 2026-11-26\n\n| figure | value | target | |\n|---|---|---|---|\n${figureRows(before).join('\n')}`;

test('figures of a section are read back with the kind of machine', () => {
  const { machine, figures } = readRecorded(section);
  expect(machine).toBe('2 cores (AMD EPYC)');
  expect(machineOf('Node v24.1.0, 2 cores (AMD EPYC), 2027-01-01')).toBe(machine);
  expect([...figures]).toEqual([
    ['wall / ideal', 1.1],
    ['POs per second', 50],
    ['commits', 10],
    ['first paint', 584.2],
    ['kept', 0.98],
  ]);
});

test('what became worse comes first, whether more or less of it is good', () => {
  const now = [
    { name: 'wall / ideal', value: 1.1, target: '<= 1.15' },
    { name: 'POs per second', value: 40 },
    { name: 'commits', value: 7 },
    { name: 'kept', value: 0.49, target: '>= 0.97' },
    { name: 'new', value: 3 },
    { name: 'skipped', value: 'this machine has no redis-server' },
  ];
  expect(comparedRows(compareFigures(now, readRecorded(section)))).toEqual([
    '| kept | 0.98 | 0.49 | 100 % worse |',
    '| POs per second | 50 | 40 | 25 % worse |',
    '| wall / ideal | 1.1 | 1.1 | the same |',
    '| commits | 10 | 7 | 30 % better |',
  ]);
});
