import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../src/placing/decide.ts';
import type { AttemptFacts, CallKind, Observation, Step } from '../../src/placing/decision.ts';
import { type ActiveState, activeStates, type ChangingStep } from '../../src/placing/types.ts';
import { renderRulesPage } from './rules-page.ts';

const page = await readFile(new URL('../../docs/rules.md', import.meta.url), 'utf8');

test('docs/rules.md shows the answers, lookups and holds that the code has (npm run docs)', () => {
  expect(page).toBe(renderRulesPage(page));
});

const diagram = /```mermaid\n([\s\S]*?)```/.exec(page)![1]!;
const drawn = [...diagram.matchAll(/^ *(\S+) --> ([^\s:]+)/gm)].map(([, from, to]) => ({
  from: from!,
  to: to!,
}));

test('diagram and table have exactly the states of the ledger', async () => {
  const schema = await readFile(new URL('../../src/ledger/schema.sql', import.meta.url), 'utf8');
  const check = /purchase_orders_state_check check \(\(state = any \(array\[(.*?)\]/.exec(schema)![1]!;
  const states = [...check.matchAll(/'(\w+)'/g)].map((found) => found[1]!).sort();
  const table = page.split('| state | meaning |')[1]!.split('\n\n')[0]!;
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map((found) => found[1]!).sort()).toEqual(states);
  const ends = drawn.flatMap(({ from, to }) => [from, to]).filter((end) => end !== '[*]');
  expect([...new Set(ends)].sort()).toEqual(states);
});

/** The call of each state, besides deleting the cart. */
const stepOf: Record<ActiveState, ChangingStep> = {
  ready: 'create_cart',
  cart_created: 'add_items',
  items_added: 'delete_cart',
  submitting: 'submit_order',
  verifying: 'delete_cart',
};

const stateAfter = (step: Step, state: ActiveState): string => {
  switch (step.do) {
    case 'lookup':
      return state;
    case 'call':
      return step.step === 'submit_order' ? 'submitting' : state;
    case 'verify':
      return 'verifying';
    case 'hold':
      return 'held';
    case 'fail':
      return 'failed';
    case 'cancel':
    case 'finish_quote':
      return 'cancelled';
    case 'retry':
      return state === 'submitting' ? 'items_added' : state;
    default:
      return step.do;
  }
};

const outcome = fc.constantFrom('none', 'done', 'refused', 'contradicted', 'unknown' as const);
const past = (state: ActiveState, earliest: ActiveState) =>
  activeStates.indexOf(state) >= activeStates.indexOf(earliest);

/** Facts that can be true together, with a possible observation. */
const situation = fc.constantFrom(...activeStates).chain((state) => {
  const facts = fc.record({
    state: fc.constant(state),
    create: past(state, 'cart_created') ? fc.constant('done' as const) : outcome,
    items: past(state, 'items_added') ? fc.constant('done' as const) : outcome,
    submit: past(state, 'submitting') ? outcome : fc.constant('none' as const),
    deletion: fc.constantFrom('none', 'done', 'not_acted', 'unknown' as const),
    lookups: fc.constantFrom(0, 2, 5),
    rebuildsLeft: fc.constantFrom(0, 3),
    submissionsLeft: fc.constantFrom(0, 3),
    ...(Object.fromEntries(
      [
        ...['cartMayBeOurs', 'mayHaveOrdered', 'firstLookup', 'troubled', 'outOfPatience', 'cancelling'],
        ...[
          'quoteOnly',
          'fileGrew',
          'guard',
          'lateEffects',
          'lateCreation',
          'ordersAdopted',
          'poNumbersReused',
        ],
        ...['submissionConsumesCart', 'createRefusesExistingCart', 'cartProvesNoOrder'],
        ...['ordersCanWait', 'cartIsFresh'],
      ].map((name) => [name, fc.boolean()]),
    ) as unknown as Record<'cancelling', fc.Arbitrary<boolean>>),
  }) as unknown as fc.Arbitrary<AttemptFacts>;
  const kinds: CallKind[] = ['denied', 'limited', 'unsupported', 'misdirected', 'not_sent', 'unknown'];
  const answer = fc.record({
    saw: fc.constant('answer' as const),
    to:
      state === 'submitting'
        ? fc.constant(stepOf[state])
        : fc.constantFrom(stepOf[state], 'delete_cart' as const),
    kind: fc.constantFrom<CallKind>('ok', 'not_found', 'refused', 'conflict', ...kinds),
  });
  const lookup = fc.record({
    saw: fc.constant('lookup' as const),
    orders: fc.constantFrom('none', 'equal', 'more', 'less', 'unreadable' as const),
    cart: fc.constantFrom('absent', 'incomplete', 'equal', 'different', 'unreadable' as const),
  });
  const failed = fc.record({ saw: fc.constant('failed_lookup' as const), kind: fc.constantFrom(...kinds) });
  const nothing = fc.constant({ saw: 'nothing' as const });
  return fc.tuple(facts, fc.oneof(answer, nothing, lookup, failed) as fc.Arbitrary<Observation>);
});

test('the diagram shows exactly the transitions that the decision makes', () => {
  const made = new Set<string>();
  for (const [facts, observation] of fc.sample(situation, { numRuns: 30_000, seed: 1 })) {
    const to = stateAfter(decide(facts, observation), facts.state);
    if (to !== facts.state) made.add(`${facts.state} --> ${to}`);
  }
  const active: readonly string[] = activeStates;
  const shown = drawn.filter(({ from }) => active.includes(from)).map(({ from, to }) => `${from} --> ${to}`);
  expect(shown.sort()).toEqual([...made].sort());
});
