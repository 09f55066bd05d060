import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviseOn } from '../../src/console/advised-actions.ts';
import { inConsole } from '../../src/console/console-words.ts';
import { advisingOn, importActions, placeForImport } from '../../src/console/import-actions.ts';
import { type Actable, groupActions, offeredActions } from '../../src/console/offered-actions.ts';
import { codesOfAnotherFile } from '../../src/intake/needs-another-file.ts';
import { idleGuard } from '../../src/intake/notes/idle-price-guard.ts';
import type { ShownImport } from '../../src/ledger/console/imports.ts';
import { holdReasons } from '../../src/placing/hold-reasons.ts';
import { activeStates, poStates } from '../../src/placing/types.ts';

const po = (over: Partial<Actable>): Actable => ({
  state: 'held',
  reasonCode: null,
  quoteOnly: false,
  cancelling: false,
  holding: false,
  leased: false,
  mayHaveOrdered: false,
  alarm: null,
  settled: false,
  ...over,
});
const main = (one: Actable) => offeredActions(one).find(({ rank }) => rank === 'advised')?.action;
const heldFor = Object.keys(holdReasons).flatMap((reasonCode) =>
  [false, true].flatMap((quoteOnly) =>
    [false, true].map((mayHaveOrdered) => po({ reasonCode, quoteOnly, mayHaveOrdered })),
  ),
);
const named = (advice: string) => /\b(release|cancel|adopt|settle)\b/i.exec(advice)?.[1]?.toLowerCase();

test('of POs whose orders may exist, a group is cancelled as each of them is: nothing is changed at the service', () => {
  for (const [code, { orderMayExist }] of Object.entries(holdReasons)) {
    const effect = groupActions(code).find(({ action }) => action === 'cancel')?.effect;
    if (orderMayExist)
      expect([code, effect]).toEqual([code, 'Marks it as cancelled. Nothing is changed at the service.']);
  }
});

describe('the main button', () => {
  test.each(heldFor)('does what the advice names first: held for $reasonCode, quote $quoteOnly', (one) => {
    const { advice, place } = adviseOn(one);
    if (place !== null || advice.startsWith('Wait')) expect(main(one)).toBeUndefined();
    else expect(main(one)).toBe(named(advice));
  });

  test.each(activeStates)('there is none for a PO that goes on without a person (%s)', (state) => {
    expect(main(po({ state }))).toBeUndefined();
  });

  test.each(poStates)('there is one at most, and it comes first (%s)', (state) => {
    for (const alarm of [null, 'Two ordered']) {
      const ranks = offeredActions(po({ state, alarm })).map(({ rank }) => rank);
      expect(ranks.lastIndexOf('advised')).toBeLessThanOrEqual(0);
      expect(
        [...ranks].sort(
          (a, b) =>
            ['advised', 'possible', 'unlikely'].indexOf(a) - ['advised', 'possible', 'unlikely'].indexOf(b),
        ),
      ).toEqual(ranks);
    }
  });

  test('cancels what asks to be cancelled, and a release that does not help says why', () => {
    const conflict = offeredActions(po({ reasonCode: 'conflicting_po' }));
    expect(conflict.map(({ action, rank }) => [action, rank])).toEqual([
      ['cancel', 'advised'],
      ['assign', 'possible'],
      ['release', 'unlikely'],
    ]);
    expect(conflict.at(-1)!.why).toMatch(/only if the other PO/);
  });

  test('is not Retry for what the service refused: correcting it is, and Retry says what it needs', () => {
    const failed = po({ state: 'failed', reasonCode: 'refused_by_service' });
    expect(adviseOn(failed).place).toBe('correct');
    expect(offeredActions(failed).map(({ action, rank }) => [action, rank])).toEqual([
      ['settle', 'possible'],
      ['assign', 'possible'],
      ['retry', 'unlikely'],
    ]);
    expect(adviseOn(failed).advice).not.toMatch(/retry/i);
  });

  test('is none for an alarm: the order is compared first, and only then is it not needed', () => {
    for (const state of ['ordered', 'closed', 'failed', 'rejected', 'cancelled'] as const) {
      const offered = offeredActions(po({ state, alarm: 'The service no longer shows it.' }));
      expect(offered.find(({ action }) => action === 'settle')?.rank).toBe('possible');
    }
  });

  test('is none where a person has said that nothing is needed; that can be taken back', () => {
    const settled = po({ state: 'failed', reasonCode: 'refused_by_service', settled: true });
    expect(adviseOn(settled)).toMatchObject({ advice: '', place: null });
    expect(offeredActions(settled).map(({ action, rank }) => [action, rank])).toEqual([
      ['retry', 'possible'],
      ['unsettle', 'possible'],
    ]);
  });
});

describe('the buttons of a file', () => {
  const file = (over: Partial<ShownImport>): ShownImport =>
    ({ state: 'read', states: {}, heldFor: [], quoteOnly: false, reasonCode: null, ...over }) as ShownImport;
  const ranked = (one: ShownImport) =>
    Object.fromEntries(
      importActions(one).map(({ action, possible, rank }) => [action, possible ? rank : 'not possible']),
    );

  test('come with advice for the next file once this one can no longer be read again', () => {
    const idle = idleGuard([], 'expected_price', { columns: {} });
    const said = (states: ShownImport['states']) => inConsole(advisingOn(file({ states }))(idle));
    expect(said({ rejected: 1 })).toMatch(
      /to expected_price in “Which column is what” under “Read again”\.$/,
    );
    expect(said({ ordered: 1 })).toMatch(
      /to expected_price in “Which column is what” when you upload the next file\.$/,
    );
    expect(
      advisingOn(file({ states: { ordered: 1 } }))(
        'Set intake.delimiter: tab. The guards.abovePercent stay.',
      ),
    ).toBe('Set intake.delimiter, for the next file: tab. The guards.abovePercent stay.');
  });

  test('follow the advice about what is held in it', () => {
    expect(
      ranked(file({ states: { held: 2 }, heldFor: [{ reasonCode: 'price_above', count: 2 }] })),
    ).toMatchObject({
      release: 'advised',
      cancel: 'possible',
    });
    expect(
      ranked(file({ states: { held: 2 }, heldFor: [{ reasonCode: 'conflicting_po', count: 2 }] })),
    ).toMatchObject({
      release: 'unlikely',
      cancel: 'advised',
    });
    const both = [
      { reasonCode: 'price_above', count: 1 },
      { reasonCode: 'conflicting_po', count: 1 },
    ];
    expect(ranked(file({ states: { held: 2 }, heldFor: both }))).toMatchObject({
      release: 'possible',
      cancel: 'possible',
    });
    expect(ranked(file({ states: { failed: 1 } }))).toMatchObject({ retry: 'unlikely' });
    expect(placeForImport(file({ states: { failed: 1 } }))).toBe('correct');
    expect(placeForImport(file({ states: { ordered: 1 } }))).toBeNull();
  });

  test.each(codesOfAnotherFile)(
    'do not offer to read a file again that no other reading helps: %s',
    (reasonCode) => {
      const actions = importActions(file({ state: 'refused', reasonCode }));
      const reread = actions.find(({ action }) => action === 'reread')!;
      expect(placeForImport(file({ state: 'refused', reasonCode }))).toBe('upload');
      expect(reread).toMatchObject({ possible: false, why: expect.stringMatching(/Upload the file again/) });
    },
  );

  test('offer it first where a person can say what the file means', () => {
    expect(ranked(file({ state: 'refused', reasonCode: 'columns_missing' }))).toMatchObject({
      reread: 'advised',
    });
    expect(ranked(file({ state: 'waiting' }))).toMatchObject({ reread: 'advised' });
  });

  test('every code of a file that cannot be read is one that intake has', () => {
    const root = join(import.meta.dirname, '../../src/intake');
    const source = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('needs-another-file.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .join('\n');
    for (const code of codesOfAnotherFile) expect(source).toContain(`'${code}'`);
  });
});
