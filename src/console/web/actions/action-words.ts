import type { PoAction } from '../../../api-contract/basics.ts';

/** What the actions are called where POs of several states and reasons are selected. */
export const actionWords: Record<PoAction, { label: string; effect: string }> = {
  release: {
    label: 'Release',
    effect: 'They continue where they were held. What was found is accepted as it was shown.',
  },
  retry: {
    label: 'Retry',
    effect: 'Each starts a new attempt; the service is checked before anything is sent.',
  },
  adopt: {
    label: 'Adopt',
    effect: 'The order that the service has under the number becomes the order of this purchase order.',
  },
  submit_again: {
    label: 'Submit again',
    effect:
      'They are submitted once more. Do this only after the operator of the service has confirmed that no order exists.',
  },
  settle: {
    label: 'Not needed',
    effect:
      'Nothing is to be done about them any more: that they failed or were rejected, or differ from their files, is no longer counted. Something new raises them again, and this can be taken back.',
  },
  unsettle: {
    label: 'Needed after all',
    effect: 'They are counted again as something to do.',
  },
  assign: {
    label: 'Assign',
    effect: 'Says who takes care of them. That person finds them on Today under Mine.',
  },
  hold: {
    label: 'Hold',
    effect:
      'Each is held before it is submitted, at its next step, until a person releases it. If a submission was sent before, an alarm says so.',
  },
  cancel: {
    label: 'Cancel',
    effect:
      'They end without an order, each at its next step. What may already have been submitted stays at the service, and you settle it there.',
  },
};

/** It cannot be taken back. */
export const isDangerous = (action: PoAction): boolean => action === 'cancel' || action === 'submit_again';

/** What a button and a title call an action on these POs: `Adopt the order of PO 4711`, `Submit 300 purchase orders again`. */
export const actOn = (action: PoAction, what: string, count = 1): string => {
  switch (action) {
    case 'adopt':
      return `Adopt the order${count === 1 ? '' : 's'} of ${what}`;
    case 'submit_again':
      return `Submit ${what} again`;
    case 'settle':
      return `Mark ${what} as not needed`;
    case 'unsettle':
      return `Mark ${what} as needed again`;
    default:
      return `${actionWords[action].label} ${what}`;
  }
};
