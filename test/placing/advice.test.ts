import { describe, expect, test } from 'vitest';
import { poActions } from '../../src/api-contract/action-words.ts';
import type { ActionTarget } from '../../src/placing/action-target.ts';
import { explainHold, holdReasons, refusedLookups } from '../../src/placing/hold-reasons.ts';
import type { OperatorAction } from '../../src/placing/operator-actions.ts';
import { planOperatorAction } from '../../src/placing/operator-actions.ts';
import type { PurchaseOrderState } from '../../src/placing/types.ts';
import { whatToDo } from '../../src/reports/what-to-do.ts';
import { describeHold } from '../config/operator-pages.ts';
import { allStates } from './action-target.ts';

/** The words that name an action in a text. */
const wordsFor: Record<OperatorAction, RegExp> = {
  release: /\brelease\b/i,
  submit_again: /submit-again/i,
  adopt: /\badopt\b/i,
  // Offered for POs in progress, about which no text gives advice.
  hold: /\bcartwright hold\b/i,
  cancel: /\bcancel\b/i,
  retry: /\bretry\b/i,
  // Offered for alarms and POs that ended without an order, which these texts do not cover.
  settle: /\bsettle\b/i,
  unsettle: /\bunsettle\b/i,
  assign: /\bassign\b/i,
};
const actionsIn = (text: string): OperatorAction[] =>
  poActions.filter((action) => wordsFor[action].test(text));

const codes = Object.keys(holdReasons);
/** Hold reasons that a submission precedes, or may precede. */
const submitted = new Set([
  'submission_unknown',
  'cannot_verify',
  'duplicate_suspected',
  'po_refused',
  'service_unstable',
  'service_unreachable',
  'lookup_refused',
  'already_ordered',
]);

/** All variants of a PO in a state for a reason. */
const standings = (state: PurchaseOrderState, reasonCode: string | undefined): ActionTarget[] =>
  [false, true].flatMap((quoteOnly) =>
    [false, true].flatMap((cancelling) =>
      [false, true]
        .filter((mayHaveOrdered) => !mayHaveOrdered || (!quoteOnly && submitted.has(reasonCode ?? '')))
        .map((mayHaveOrdered) => ({
          id: '1',
          account: 'default',
          poNumber: 'PO-1',
          importId: '1',
          state,
          run: 1,
          reasonCode,
          reasonText: undefined,
          alarm: undefined,
          cancelling,
          holding: false,
          quoteOnly,
          leased: false,
          mayHaveOrdered,
          lines: [],
        })),
    ),
  );

const expectPossible = (text: string, po: ActionTarget) => {
  const refused = actionsIn(text).filter((action) => planOperatorAction(action, po).kind !== 'plan');
  expect({ text, state: po.state, code: po.reasonCode, quoteOnly: po.quoteOnly, refused }).toMatchObject({
    refused: [],
  });
};

describe('advice names only what can be done', () => {
  test.each(allStates.filter((state) => state !== 'held'))(
    'in a result file, about a PO that is %s',
    (state) => {
      for (const reasonCode of [
        undefined,
        'quoted',
        'corrected',
        'conflicting_po',
        'refused_by_service',
        'row_issues',
      ]) {
        for (const po of standings(state, reasonCode)) expectPossible(whatToDo(po), po);
      }
    },
  );

  test.each(codes)('in a result file, about a PO that is held as %s, and it names something', (code) => {
    for (const po of standings('held', code)) {
      expectPossible(whatToDo(po), po);
      expect(actionsIn(whatToDo(po)).length, whatToDo(po)).toBeGreaterThan(0);
    }
  });

  test.each(codes)('in the text of the hold %s', (code) => {
    for (const po of standings('held', code)) {
      const { meaning, advice } = explainHold(code, po.quoteOnly)!;
      const meanings = code === 'lookup_refused' ? Object.values(refusedLookups) : [meaning];
      for (const text of meanings.map((each) => `${each} ${advice}`)) {
        expectPossible(text, po);
        expect(actionsIn(text).length, text).toBeGreaterThan(0);
      }
    }
  });

  test.each(Object.entries(holdReasons))('on the operating page, about %s', (code, reason) => {
    // The page is about orders.
    for (const po of standings('held', code).filter(({ quoteOnly }) => !quoteOnly))
      expectPossible(describeHold(reason), po);
  });

  test('in the answer to an action that is not possible', () => {
    for (const state of allStates) {
      for (const code of state === 'held' ? codes : [undefined, 'quoted']) {
        for (const po of standings(state, code)) {
          for (const action of poActions) {
            const steered = planOperatorAction(action, po);
            if (steered.kind === 'not_possible') expectPossible(steered.why, po);
          }
        }
      }
    }
  });

  test('and what is recommended for an unclear submission really submits', () => {
    const [po] = standings('held', 'submission_unknown').filter(({ mayHaveOrdered }) => mayHaveOrdered);
    expect(actionsIn(whatToDo(po!))).toEqual(['submit_again']);
    expect(planOperatorAction('submit_again', po!)).toMatchObject({ kind: 'plan', plan: { state: 'ready' } });
  });
});
