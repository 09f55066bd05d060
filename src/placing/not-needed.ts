import { type ActionTarget, no, type PlannedAction } from './action-target.ts';

export const hasLaterFile = 'a later file has it without mistakes';

export const hasEndedBadly = ({ state }: Pick<ActionTarget, 'state'>): boolean =>
  state === 'failed' || state === 'rejected';

/** No alarm, failure or rejection is left to settle; the PO may still be held. */
export const isSolved = (po: ActionTarget): boolean =>
  po.alarm === undefined && (!hasEndedBadly(po) || po.settled === true || po.reasonCode === 'corrected');

export const settle = (po: ActionTarget): PlannedAction => {
  if (!isSolved(po)) return { kind: 'settle', takesBack: false, alarm: po.alarm };
  if (po.settled) return no('a person has said already that it is not needed');
  if (hasEndedBadly(po)) return no(hasLaterFile);
  return no(
    po.state === 'held'
      ? 'it is held, and waits for a decision'
      : 'it has no alarm, and it has neither failed nor been rejected',
  );
};

export const unsettle = ({ settled }: ActionTarget): PlannedAction =>
  settled
    ? { kind: 'settle', takesBack: true, alarm: undefined }
    : no('nobody has said that it is not needed, or something new has happened since');
