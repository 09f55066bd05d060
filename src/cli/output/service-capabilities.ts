import type { ServiceCapabilities } from '../../placing/probe-service.ts';
import { drawTable, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Below this, a lookup was only slow. */
const noticeableLagMs = 100;

/** Twice the single observation. */
const readLagOf = ({ readLagMs }: ServiceCapabilities): string | undefined =>
  readLagMs < noticeableLagMs ? undefined : `${Math.ceil((2 * readLagMs) / 1000)}s`;

/** If a cart's items are not shown, an unclear creation without a preceding lookup would hold the PO. */
const savesLookup = ({ createRefusesExistingCart, itemsShown }: ServiceCapabilities): boolean =>
  createRefusesExistingCart === true && itemsShown;

/** The settings of an account that describe these capabilities. */
export const settingsOf = (capabilities: ServiceCapabilities): Record<string, boolean | string> => {
  const { createRefusesExistingCart, submissionConsumesCart, createRefusesOrderedPo } = capabilities;
  const readLag = readLagOf(capabilities);
  return {
    ...(createRefusesExistingCart === undefined
      ? {}
      : { createRefusesExistingCart: savesLookup(capabilities) }),
    ...(submissionConsumesCart === undefined ? {} : { submissionConsumesCart }),
    ...(createRefusesOrderedPo === undefined ? {} : { createRefusesOrderedPo }),
    ...(readLag === undefined ? {} : { readLag }),
  };
};

const yesOrNo = (is: boolean | undefined): string => (is === undefined ? 'not tested' : is ? 'yes' : 'no');

const meanings = (capabilities: ServiceCapabilities): [manner: string, found: string, means: string][] => {
  const { createRefusesExistingCart, submissionConsumesCart, createRefusesOrderedPo } = capabilities;
  const lag = readLagOf(capabilities);
  const needsSubmit = 'Only --submit shows this, with a real order.';
  return [
    [
      'refuses a second cart',
      yesOrNo(createRefusesExistingCart),
      savesLookup(capabilities)
        ? 'The cart need not be looked up before its creation.'
        : 'The cart must be looked up before its creation.',
    ],
    [
      'shows the items of a cart',
      yesOrNo(capabilities.itemsShown),
      capabilities.itemsShown
        ? 'Each cart is compared with the file before it is submitted.'
        : 'A cart cannot be compared with the file before it is submitted.',
    ],
    [
      'shows the number of a cart',
      yesOrNo(capabilities.cartNumberShown),
      capabilities.cartNumberShown
        ? 'A cart can be recognised as the one that was created.'
        : 'A cart cannot be recognised, so the orders are always looked up before submission.',
    ],
    [
      'equal lines',
      capabilities.equalLines ?? 'not shown',
      'Cartwright compares sums, so it can work with both.',
    ],
    [
      'deletes a cart',
      yesOrNo(capabilities.deletionWorks),
      capabilities.deletionWorks
        ? 'Carts can be rebuilt after an unclear answer.'
        : 'POs are held as cart_not_deletable, or as service_unstable, after an unclear answer.',
    ],
    [
      'delay of lookups',
      `${capabilities.readLagMs} ms`,
      lag === undefined ? 'readLag is not needed.' : `readLag should be at least ${lag}.`,
    ],
    [
      'submission removes the cart',
      yesOrNo(submissionConsumesCart),
      submissionConsumesCart === undefined
        ? needsSubmit
        : submissionConsumesCart
          ? 'An untouched cart proves that a submission had no effect.'
          : 'A PO whose submission result is unknown is always held.',
    ],
    [
      'refuses a cart for an ordered PO number',
      yesOrNo(createRefusesOrderedPo),
      createRefusesOrderedPo === undefined
        ? needsSubmit
        : createRefusesOrderedPo
          ? 'The orders need not be looked up where the cart is untouched.'
          : 'The orders must be looked up before each submission.',
    ],
  ];
};

/** Each capability with the finding and its meaning. */
export const drawServiceCapabilities = (terminal: Terminal, capabilities: ServiceCapabilities): string =>
  drawTable(terminal, ['Manner', 'Found', wrapping('What it means')], meanings(capabilities));
