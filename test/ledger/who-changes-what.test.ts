import { expect, test } from 'vitest';
import { updatePos } from '../../src/ledger/po/write.ts';

test('a statement that sets more than its change may is refused when it is built', () => {
  const settle = (set: object) => () => updatePos({ by: 'settle', set, where: 'p.id = $1' });
  expect(settle({ alarm_settled_at: 'clock_timestamp()' })).not.toThrow();
  expect(settle({ alarm_settled_at: 'null', state: `'ordered'` })).toThrow(
    'The change "settle" may not set state.',
  );
});

test('what follows a change is added: its time, and the backlog for a PO without a next step', () => {
  const read = (state: string) => updatePos({ by: 'read again', set: { state }, where: 'true' });
  expect(read(`'cancelled'`)).toMatch(/dispatch = 'backlog', changed_at = clock_timestamp\(\)/);
  expect(read(`'ready'`)).not.toContain('dispatch');
  // Not columns that only workers read.
  expect(updatePos({ by: 'resume', set: {}, newRun: true, where: 'true' })).not.toContain('changed_at');
});
