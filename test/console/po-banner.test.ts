import { expect, test } from 'vitest';
import { type BannerFacts, bannerOf } from '../../src/console/po-banner.ts';
import { endReasons, holdReasons } from '../../src/placing/hold-reasons.ts';
import { activeStates, poStates } from '../../src/placing/types.ts';

const asOf = '2026-11-22T10:00:00.000Z';
const facts: BannerFacts = {
  poNumber: '4711',
  state: 'ready',
  reasonCode: null,
  reasonText: null,
  quoteOnly: false,
  cancelling: false,
  holding: false,
  leased: false,
  mayHaveOrdered: false,
  mayHaveCart: false,
  asOf,
  changedAt: asOf,
  nextAt: asOf,
  failingSince: null,
  failures: 0,
  epoch: 0,
  lastCalls: {},
  alarm: null,
  settled: false,
  orderNumbers: [],
  orderStatus: null,
  issueCount: 0,
  dispatch: 'window',
  served: true,
  pause: null,
};

const everyCase: BannerFacts[] = [
  ...poStates.flatMap((state) => [
    { ...facts, state },
    {
      ...facts,
      state,
      quoteOnly: true,
      cancelling: true,
      mayHaveOrdered: true,
      alarm: 'Two ordered, one asked.',
    },
    {
      ...facts,
      state,
      failingSince: asOf,
      failures: 3,
      reasonText: 'The connection was reset',
      served: false,
    },
  ]),
  ...Object.keys(holdReasons).flatMap((reasonCode) =>
    [false, true].map((quoteOnly) => ({ ...facts, state: 'held' as const, reasonCode, quoteOnly })),
  ),
  ...Object.entries(endReasons).map(([reasonCode, { state }]) => ({ ...facts, state, reasonCode })),
  { ...facts, state: 'held', reasonCode: 'a_code_of_a_later_version' },
];

test.each([
  ['PO 47 11', 'PO 47 11'],
  ['po-4711', 'po-4711'],
  ['P.O. 4711', 'P.O. 4711'],
  ['PO4711', 'PO4711'],
  ['4711', 'PO 4711'],
  ['POLAR-1', 'PO POLAR-1'],
])('a PO whose number is %s is called %s', (poNumber, name) => {
  for (const po of everyCase) expect(bannerOf({ ...po, poNumber }).sentence).toMatch(new RegExp(`^${name} `));
});

test.each(everyCase)('$state $reasonCode: a sentence for a person', (po) => {
  const { sentence, next, advice, actions } = bannerOf(po);
  for (const text of [sentence, next, advice]) {
    if (text === null) continue;
    expect(text).toMatch(/^[A-Z].*[.!]$/s);
    expect(text).not.toMatch(/undefined|null|\.\.|: \./);
  }
  expect(sentence).toContain('4711');
  // Every decision has an action, and the advice names only offered actions.
  if (po.state === 'held') expect(actions.length).toBeGreaterThan(0);
  const offered = new Set(actions.map(({ action }) => action));
  if (po.state === 'held' && advice && /\b[Rr]elease\b/.test(advice)) expect(offered).toContain('release');
  if (po.state === 'held' && advice && /\b[Cc]ancel (?:it|this)\b/.test(advice))
    expect(offered).toContain('cancel');
});

test.each(activeStates)('%s: says when it goes on, and what keeps it', (state) => {
  const later = '2026-11-22T10:05:00.000Z';
  expect(bannerOf({ ...facts, state, nextAt: later })).toMatchObject({ tone: 'progress', nextAt: later });
  expect(bannerOf({ ...facts, state, served: false }).next).toMatch(/until a worker runs/);
  expect(
    bannerOf({ ...facts, state, pause: { code: 'credential_refused', reason: 'Refused', until: later } }),
  ).toMatchObject({ tone: 'attention', nextAt: later });
  expect(
    bannerOf({ ...facts, state, pause: { code: 'operator', reason: 'Ann paused it', until: null } }).next,
  ).toMatch(/until a person resumes/);
  expect(bannerOf({ ...facts, state, leased: true }).next).toMatch(/ by the worker that is processing it\.$/);
});

test.each([
  [{ state: 'ready' }, 'It is marked as cancelled in a moment.'],
  [{ state: 'items_added', mayHaveCart: true }, 'Its cart is deleted in a moment.'],
  [{ state: 'verifying', mayHaveOrdered: true, mayHaveCart: true }, 'Its order is looked up in a moment.'],
] as const)('a cancelled PO says what is still to happen: %j', (po, next) => {
  expect(bannerOf({ ...facts, cancelling: true, ...po }).next).toBe(next);
});

const call = (outcome: 'done' | 'refused' | 'unknown' | null, epoch = 1) => ({
  outcome,
  epoch,
  detail: 'row 3: no',
});

test.each<[Partial<BannerFacts>, string, string]>([
  [
    { state: 'cart_created', lastCalls: { add_items: call('refused') } },
    'has a line that the service refused (row 3: no); once its cart is deleted it fails, or is tried once more if a call had no clear answer.',
    'Its cart is deleted in a moment.',
  ],
  [
    { state: 'cart_created', lastCalls: { add_items: call('refused', 0) } },
    'has a cart, and its lines are being added.',
    'Its lines are added in a moment.',
  ],
  [
    { state: 'ready', lastCalls: { add_items: call('refused', 0) } },
    'had a line that the service refused (row 3: no), and is tried once more.',
    'Its cart is created in a moment.',
  ],
  [
    { state: 'cart_created', lastCalls: { add_items: call('unknown') } },
    'has a cart that is being deleted.',
    'Its cart is deleted and built again in a moment.',
  ],
  [
    { state: 'items_added', lastCalls: { delete_cart: call(null) } },
    'has a cart that is being deleted.',
    'Its cart is deleted and built again in a moment.',
  ],
  [
    { state: 'items_added', quoteOnly: true },
    'has a cart that is being deleted.',
    'Its cart is deleted in a moment.',
  ],
  [
    { state: 'ready', lastCalls: { create_cart: call('unknown') } },
    'has a cart that is being deleted.',
    'Its cart is deleted and built again in a moment.',
  ],
  [
    { state: 'ready', lastCalls: { create_cart: call('done', 0), delete_cart: call('done', 0) } },
    'is waiting for its cart.',
    'Its cart is created in a moment.',
  ],
  [
    { state: 'verifying', lastCalls: { submit_order: call('refused') } },
    'was refused when it was submitted (row 3: no), and it is checked that it has no order.',
    'Its order is looked up in a moment.',
  ],
])('its last calls say what comes first: %j', (po, is, next) => {
  expect(bannerOf({ ...facts, epoch: 1, ...po })).toMatchObject({ sentence: `PO 4711 ${is}`, next });
});

test('an order whose quantities differ is not shown as good', () => {
  const po: BannerFacts = {
    ...facts,
    state: 'ordered',
    orderNumbers: ['1', '2', '3', '4'],
    alarm: 'Two ordered',
  };
  expect(bannerOf(po)).toMatchObject({
    tone: 'bad',
    sentence: 'PO 4711 is ordered as 1, 2, 3 and 1 more. Something differs: Two ordered.',
  });
});
