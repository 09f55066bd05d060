import { changes } from '../../src/ledger/po/who-changes-what.ts';
import { intentOutcomeOf } from '../../src/placing/after-answer.ts';
import type { CartComparison, OrdersComparison } from '../../src/placing/compare.ts';
import { decide } from '../../src/placing/decide.ts';
import type { AttemptFacts, CallKind, Observation, Step } from '../../src/placing/decision.ts';
import { type HoldReasonCode, holdReasons } from '../../src/placing/hold-reasons.ts';
import type { OperatorAction } from '../../src/placing/operator-actions.ts';
import { planOperatorAction } from '../../src/placing/operator-actions.ts';
import type { ChangingStep } from '../../src/placing/types.ts';
import { describeHold } from '../config/operator-pages.ts';
import { heldTarget } from '../placing/action-target.ts';
import { cartCreated, itemsAdded, lastLookup, ready, submitting } from '../placing/attempt-facts.ts';
import { fillGenerated, markdownTable } from './generated.ts';

const answered = (to: ChangingStep, kind: CallKind): Observation => ({ saw: 'answer', to, kind });

/** A decision in words. For a deletion, includes the step after it. */
const tell = (step: Step, facts: AttemptFacts): string => {
  switch (step.do) {
    case 'lookup': {
      if (facts.state !== 'submitting') return 'look up again';
      const after = (orders: OrdersComparison) =>
        tell(decide(facts, { saw: 'lookup', orders, cart: 'absent' }), facts);
      return `look up at once: ${after('equal')}, or ${after('none')}`;
    }
    case 'call': {
      if (step.step === 'create_cart') return 'create the cart';
      if (step.step === 'submit_order') return 'submit';
      if (step.step === 'add_items') return 'add the lines';
      const after = { ...facts, deletion: 'unknown' } as const;
      return `delete, then ${tell(decide(after, answered('delete_cart', 'ok')), after)}`;
    }
    case 'ready':
      return 'rebuild';
    case 'cart_created':
    case 'ordered':
      return `\`${step.do}\``;
    case 'items_added':
      return step.epoch === 'next' ? 'submit again (next epoch)' : '`items_added`';
    case 'verify':
      return step.pause ? '`verifying`, and the account pauses' : '`verifying`';
    case 'hold':
      return step.code === 'guard' ? 'held by the guard' : `held \`${step.code}\``;
    case 'fail':
      return '`failed`';
    case 'cancel':
      return '`cancelled`';
    case 'finish_quote':
      return '`cancelled` (`quoted`)';
    case 'retry':
      return {
        account: 'the account pauses',
        unreachable: 'the account pauses',
        odd_answer: 'retry with backoff',
        no_answer: 'retry with backoff',
        reads: 'look up, after `readLag`',
        lag: 'look up again, with backoff',
        late_effects: 'wait for late effects',
      }[step.because];
  }
};

type Variant = [condition: string, over: Partial<AttemptFacts>];

/** The decision in the ordinary case, and in each special case in which it differs. */
const tellCases = (facts: AttemptFacts, observation: Observation, variants: readonly Variant[]): string => {
  const tellOne = (one: AttemptFacts) => tell(decide(one, observation), one);
  const ordinary = tellOne(facts);
  const others = variants.flatMap(([condition, over]) => {
    const other = tellOne({ ...facts, ...over });
    return other === ordinary ? [] : [`${condition}: ${other}`];
  });
  return [ordinary, ...others].join('; ');
};

const kinds: Record<CallKind, string> = {
  ok: '2xx that can be read',
  not_sent: 'connection refused, DNS error, connect timeout',
  unknown: 'timeout, reset, 408, 425, 5xx, unreadable 2xx',
  refused: '400, 422, other 4xx; 403 for this PO only',
  not_found: '404',
  conflict: '409',
  denied: '401, 407, 403 for the account',
  limited: '429',
  unsupported: '405, 415',
  misdirected: '3xx, or a web page',
};

const callVariants: Variant[] = [
  ['repeatedly', { troubled: true }],
  ['for too long', { outOfPatience: true }],
];
const deletionVariants: Variant[] = [
  ...callVariants,
  ['after a refused line', { items: 'refused' }],
  ['when cancelling', { cancelling: true }],
  ['of a quote', { quoteOnly: true, items: 'done' }],
];

const callCell = (to: ChangingStep, kind: CallKind): string => {
  const outcome = intentOutcomeOf(to, kind);
  const facts: Record<ChangingStep, AttemptFacts> = {
    create_cart: ready({ create: outcome, cartMayBeOurs: true, firstLookup: false }),
    add_items: cartCreated({ items: outcome }),
    delete_cart: cartCreated({ items: 'unknown', deletion: 'unknown' }),
    submit_order: submitting({ submit: outcome }),
  };
  return tellCases(facts[to], answered(to, kind), to === 'delete_cart' ? deletionVariants : callVariants);
};

const lookupCell = (kind: CallKind): string =>
  kind === 'ok' || kind === 'not_found'
    ? 'see the next table'
    : tellCases(itemsAdded(), { saw: 'failed_lookup', kind }, callVariants);

const answersTable = (): string =>
  markdownTable(
    ['answer', 'POST carts', 'POST items', 'DELETE cart', 'POST orders', 'GET (lookup)'],
    (Object.keys(kinds) as CallKind[]).map((kind) => [
      kinds[kind],
      callCell('create_cart', kind),
      callCell('add_items', kind),
      callCell('delete_cart', kind),
      callCell('submit_order', kind),
      lookupCell(kind),
    ]),
  );

const sights: [label: string, orders: OrdersComparison, cart: CartComparison][] = [
  ['an order with the file’s quantities', 'equal', 'absent'],
  ['an order with more', 'more', 'absent'],
  ['an order with less', 'less', 'absent'],
  ['an order whose items cannot be read', 'unreadable', 'absent'],
  ['no order, no cart', 'none', 'absent'],
  ['no order, a cart with fewer lines', 'none', 'incomplete'],
  ['no order, a cart with the file’s lines', 'none', 'equal'],
  ['no order, another cart', 'none', 'different'],
  ['no order, a cart whose items cannot be read', 'none', 'unreadable'],
];

const moments: [label: string, facts: AttemptFacts, variants: Variant[]][] = [
  [
    'before the cart',
    ready(),
    [
      ['if our create may explain it', { cartMayBeOurs: true, firstLookup: false }],
      ['after an earlier submission', { mayHaveOrdered: true, firstLookup: false }],
      ['if PO numbers are reused', { poNumbersReused: true }],
    ],
  ],
  [
    'before submission',
    itemsAdded(),
    [
      ['after 31 s', { lookups: 5 }],
      ['with a guard', { guard: true }],
      ['if the file changed', { fileGrew: true }],
    ],
  ],
  [
    'verifying an unclear submission',
    lastLookup(),
    [
      ['if adopted', { ordersAdopted: true }],
      ['if submissions keep the cart', { submissionConsumesCart: false }],
      ['after five', { submissionsLeft: 0 }],
    ],
  ],
  ['verifying a refused submission', lastLookup({ submit: 'refused' }), []],
  ['verifying after 404 or 409', lastLookup({ submit: 'contradicted' }), []],
];

const lookupsTable = (): string =>
  markdownTable(
    ['found', ...moments.map(([label]) => label)],
    sights.map(([label, orders, cart]) => [
      label,
      ...moments.map(([, facts, variants]) => tellCases(facts, { saw: 'lookup', orders, cart }, variants)),
    ]),
  );

/** The state in which a PO held for this reason continues after an action. */
const actionCell = (action: OperatorAction, reasonCode: HoldReasonCode): string => {
  const effect = (mayHaveOrdered: boolean): string => {
    const planned = planOperatorAction(action, heldTarget({ reasonCode, mayHaveOrdered }));
    if (planned.kind !== 'plan') return '–';
    const { state, cancelling } = planned.plan;
    return cancelling ? '`cancelled`, once its cart is deleted' : `\`${state}\``;
  };
  const [before, after] = [effect(false), effect(true)];
  if (before === after) return before;
  if (holdReasons[reasonCode].orderMayExist && reasonCode !== 'already_ordered') return after;
  // For all other reasons, the page says only once what cancelling a submitted PO does.
  return action === 'cancel' ? before : `${before}; after a submission: ${after}`;
};

const holdsTable = (): string =>
  markdownTable(
    ['reason code', 'what it means and what to do', 'release', 'adopt', 'submit again', 'cancel'],
    Object.entries(holdReasons).map(([code, reason]) => [
      `\`${code}\``,
      describeHold(reason),
      ...(['release', 'adopt', 'submit_again', 'cancel'] as const).map((action) =>
        actionCell(action, code as HoldReasonCode),
      ),
    ]),
  );

const changesTable = (): string =>
  markdownTable(
    ['change', 'by', 'on condition of', 'state', 'may set'],
    Object.entries(changes).map(([name, change]) => [
      name,
      change.who,
      change.guard,
      'states' in change ? change.states : '–',
      change.sets.map((column) => `\`${column}\``).join(', '),
    ]),
  );

/** docs/rules.md with its generated parts updated. */
export const renderRulesPage = (page: string): string =>
  fillGenerated(page, {
    changes: changesTable(),
    answers: answersTable(),
    lookups: lookupsTable(),
    holds: holdsTable(),
  });
