import { expect, test } from 'vitest';
import { bulkFilterOf } from '../../src/placing/bulk-filter.ts';

test('a run never tries POs other than those that the person asked for', () => {
  // Settled POs are not retried, and no others in their place.
  expect(bulkFilterOf('retry', { settled: true }).state).toEqual([]);
  expect(bulkFilterOf('unsettle', { settled: false }).state).toEqual([]);
  expect(bulkFilterOf('retry', { state: ['rejected'] }).state).toEqual([]);
  expect(bulkFilterOf('assign', { needs: 'settling' })).toMatchObject({ needs: 'settling' });
});

test('a run tries of them those for which its action is meant', () => {
  expect(bulkFilterOf('retry', {})).toEqual({ settled: false, state: ['failed'] });
  expect(bulkFilterOf('settle', { needs: 'person' })).toMatchObject({ needs: 'settling' });
  expect(bulkFilterOf('assign', {})).toMatchObject({ needs: 'person' });
  expect(bulkFilterOf('release', {}).notReasons).toEqual(['already_ordered']);
  expect(bulkFilterOf('cancel', { state: ['held', 'ordered'] }).state).toEqual(['held']);
});
