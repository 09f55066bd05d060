import type { PoAction } from '../../../api-contract/basics.ts';

/** What the actions do where POs of several states and reasons are selected. */
export const effects: Record<PoAction, string> = {
  release: 'They continue where they were held. What was found is accepted as it was shown.',
  retry: 'Each starts a new attempt; the service is checked before anything is sent.',
  adopt: 'The order that the service has under the number becomes the order of this purchase order.',
  submit_again:
    'They are submitted once more. Do this only after the operator of the service has confirmed that no order exists.',
  settle:
    'Nothing is to be done about them any more: that they failed or were rejected, or differ from their files, is no longer counted. Something new raises them again, and this can be taken back.',
  unsettle: 'They are counted again as something to do.',
  assign: 'Says who takes care of them. That person finds them on Today under Mine.',
  hold: 'Each is held before it is submitted, at its next step, until a person releases it. If a submission was sent before, an alarm says so.',
  cancel:
    'They end without an order, each at its next step. What may already have been submitted stays at the service, and you settle it there.',
};

/** It cannot be taken back. */
export const isDangerous = (action: PoAction): boolean => action === 'cancel' || action === 'submit_again';
