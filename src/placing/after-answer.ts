import type { AttemptFacts, CallKind, Step } from './decision.ts';
import {
  afterDeletion,
  afterRefusedLine,
  call,
  createdUnseen,
  hold,
  lookUp,
  rebuildLater,
  retry,
  startVerifying,
  whilePatient,
} from './steps.ts';
import type { ChangingStep, IntentOutcome } from './types.ts';

type AnswerTable = Record<CallKind, (s: AttemptFacts) => Step>;

/** Rule 13: these answers concern the account or the connection, not this PO. */
const accountAnswers = {
  misdirected: (s: AttemptFacts) => retry(s.troubled ? 'account' : 'odd_answer'),
  unsupported: () => retry('account'),
  denied: () => retry('account'),
  limited: () => retry('account'),
  not_sent: (s: AttemptFacts) => whilePatient(s, retry('unreachable')),
};

export const afterAnswer: Record<ChangingStep, AnswerTable> = {
  create_cart: {
    ...accountAnswers,
    ok: () => ({ do: 'cart_created', epoch: 'same', wait: 'none' }),
    // The service may refuse because somebody has ordered under this number since the last lookup.
    refused: () => retry('reads'),
    conflict: () => retry('reads'),
    not_found: () => retry('account'),
    unknown: (s) => (createdUnseen(s) ? rebuildLater : call('delete_cart')),
  },
  add_items: {
    ...accountAnswers,
    ok: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),
    refused: afterRefusedLine,
    conflict: () => call('delete_cart'),
    not_found: () => retry('reads'),
    unknown: () => call('delete_cart'),
  },
  delete_cart: {
    ...accountAnswers,
    ok: afterDeletion,
    refused: () => hold('cart_not_deletable'),
    conflict: () => hold('cart_not_deletable'),
    not_found: afterDeletion,
    unknown: (s) => whilePatient(s, retry('no_answer')),
  },
  // Rule 7: a submission that may have acted is verified; one that certainly did not is repeated in a new epoch with the same cart.
  submit_order: {
    ok: () => ({ do: 'ordered', epoch: 'same', wait: 'none' }),
    refused: () => startVerifying,
    conflict: () => startVerifying,
    not_found: () => startVerifying,
    unknown: () => lookUp('orders'),
    misdirected: (s) =>
      s.troubled ? { do: 'verify', wait: 'settle', counted: false, pause: true } : startVerifying,
    unsupported: () => retry('account', 'next'),
    denied: () => retry('account', 'next'),
    limited: () => retry('account', 'next'),
    not_sent: (s) => whilePatient(s, retry('unreachable', 'next')),
  },
};

export const afterFailedLookup: Record<Exclude<CallKind, 'ok' | 'not_found'>, (s: AttemptFacts) => Step> = {
  ...accountAnswers,
  refused: () => hold('lookup_refused'),
  conflict: () => hold('lookup_refused'),
  unknown: (s) => whilePatient(s, retry('no_answer')),
};

/** The outcome that the ledger records for an answer. */
export const intentOutcomeOf = (step: ChangingStep, kind: CallKind): IntentOutcome => {
  switch (kind) {
    case 'ok':
      return 'done';
    case 'refused':
      return 'refused';
    case 'not_found':
      return step === 'delete_cart' ? 'done' : step === 'create_cart' ? 'not_acted' : 'contradicted';
    case 'conflict':
      // An item refused with a conflict may or may not be in the cart.
      return step === 'add_items' ? 'unknown' : 'contradicted';
    case 'denied':
    case 'limited':
    case 'unsupported':
    case 'not_sent':
      // The answers say exactly which lines are in the cart.
      return step === 'add_items' ? 'partial' : 'not_acted';
    case 'misdirected':
    case 'unknown':
      return 'unknown';
  }
};
