import type { PurchaseOrderState } from './types.ts';

/** What can delay a worker, as far as it depends on the account. */
interface AccountFacts {
  account: string;
  /** `operator`: until a person resumes it; `service`: until its pause ends. */
  paused: 'operator' | 'service' | undefined;
  /** A running worker can place the account's POs. */
  served: boolean;
}

/** A PO with an action of a person that a worker has yet to carry out. */
export interface PendingPo extends AccountFacts {
  state: PurchaseOrderState;
  /** A submission may have made an order. */
  mayHaveOrdered: boolean;
  /** The service has, or may have, a cart that was created for it. */
  mayHaveCart: boolean;
}

/** A submission may have made an order, or is about to. Pure. */
export const isSubmitted = ({
  state,
  mayHaveOrdered,
}: Pick<PendingPo, 'state' | 'mayHaveOrdered'>): boolean =>
  mayHaveOrdered || state === 'submitting' || state === 'verifying';

/** What a worker does with a PO that is being cancelled. Pure. */
export const cancelStep = (po: Pick<PendingPo, 'state' | 'mayHaveOrdered' | 'mayHaveCart'>): string => {
  if (isSubmitted(po)) return 'Its order is looked up';
  return po.mayHaveCart ? 'Its cart is deleted' : 'It is marked as cancelled';
};

/** `Its …`, or `The … of 2 of them` if only some of the POs are meant. */
const whose = (thing: string, some: number, all: number): string => {
  if (some < all) return `the ${thing}${some === 1 ? '' : 's'} of ${some} of them`;
  return all === 1 ? `its ${thing}` : `their ${thing}s`;
};

const lateSentence = (submitted: number, all: number): string[] => {
  if (submitted === 0) return [];
  const subject = whose('submission', submitted, all);
  const [was, one] = submitted === 1 ? ['was', 'it is'] : ['were', 'one is'];
  return [
    `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${was} sent before: if ${one} ordered, an alarm says so.`,
  ];
};

const cancelSentences = (pos: readonly PendingPo[]): string[] => {
  const submitted = pos.filter(isSubmitted).length;
  const carts = pos.filter((po) => !isSubmitted(po) && po.mayHaveCart).length;
  const without = pos.length - submitted - carts;
  return [
    ...(carts > 0 ? [`A worker deletes ${whose('cart', carts, pos.length)} first.`] : []),
    ...(without === pos.length
      ? [
          `${pos.length === 1 ? 'It has no cart' : 'They have no carts'}: a worker marks ${pos.length === 1 ? 'it' : 'them'} as cancelled.`,
        ]
      : []),
    ...lateSentence(submitted, pos.length),
  ];
};

const holdSentences = (pos: readonly PendingPo[]): string[] => {
  const submitted = pos.filter(isSubmitted).length;
  const them = pos.length === 1 ? 'it' : 'them';
  return [
    `The worker that processes ${them} does so at the next step.`,
    ...lateSentence(submitted, pos.length),
  ];
};

/** Whether a worker has yet to carry out this action on a PO in this state. Pure. */
export const isPending = (action: string, state: PurchaseOrderState): boolean =>
  (action === 'cancel' && state !== 'cancelled') || (action === 'hold' && state !== 'held');

/** What delays the workers of these accounts, and what to do: one sentence for each account. */
const delays = (pos: readonly AccountFacts[]): string[] =>
  [...new Map(pos.map((po) => [po.account, po])).values()].flatMap(({ account, paused, served }) => [
    ...(paused === 'operator'
      ? [
          `The account ${account} is paused: nothing new begins until a person resumes it in the console or with \`cartwright accounts resume ${account}\`.`,
        ]
      : paused === 'service'
        ? [`The account ${account} is paused for now, so this happens when its pause ends.`]
        : []),
    ...(served
      ? []
      : [`No worker that places POs of ${account} is running. Start one with \`cartwright up\`.`]),
  ]);

/**
 * What workers have yet to do to these POs after an action, and what delays them; blank if nothing. The only place for these texts, for
 * the command line and the console. Pure.
 */
export const pendingSentence = (action: string, pos: readonly PendingPo[]): string =>
  pos.length === 0
    ? ''
    : [
        ...(action === 'cancel' ? cancelSentences(pos) : action === 'hold' ? holdSentences(pos) : []),
        ...delays(pos),
      ].join(' ');
