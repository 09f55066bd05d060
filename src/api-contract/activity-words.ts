import { actionEvents } from './action-words.ts';

/** Activities of people besides actions on POs. */
const words = {
  bulk_stopped: 'Stopped an action on many',
  uploaded: 'Confirmed an upload',
  corrected: 'Corrected the rows',
  corrected_rows: 'Ordered corrected rows',
  upload_discarded: 'Discarded an upload',
  read_again: 'Had a file read again',
  layout_agreed: 'Said what files mean',
  answered: 'Said what a value means',
  layout_removed: 'Removed a layout',
  no_order: 'Said that a file is no order',
  write_result: 'Asked for a result file',
  run_poll: 'Asked for order statuses',
  run_report: 'Asked for a status report',
  run_take_files: 'Had files picked up',
  pause_account: 'Paused the account',
  resume_account: 'Resumed the account',
  resume_webhook: 'Sends changes to a webhook again',
  sign_in: 'Signed in',
  sign_in_failed: 'Failed to sign in',
  sign_out: 'Signed out',
  session_ended: 'Ended a session',
  user_added: 'Added a user',
  user_changed: 'Changed a user',
  user_removed: 'Removed a user',
  token_added: 'Added a token',
  token_revoked: 'Revoked a token',
  view_shared: 'Shared a view',
  view_removed: 'Removed a shared view',
} as const;

/** The codes of activities besides actions on POs. */
export type ActivityAction = keyof typeof words;

/** All activities in words, by the codes of the API. */
export const activityWords: Readonly<Record<string, string>> = { ...actionEvents, ...words };

const answers: Readonly<Record<string, string>> = {
  order: 'order such rows',
  leave_out: 'leave them out',
  ask: 'ask each time',
};

/** Details of an activity entry, in words; undefined: none worth a line. Pure. */
export const activityDetail = (
  action: string,
  detail: Readonly<Record<string, unknown>> | null,
): string | undefined => {
  if (detail === null) return undefined;
  const { column, value, answer, pieces, wholeColumn, name, version, withdrawn } = detail;
  if (action === 'answered' && typeof answer === 'string') {
    const said =
      answer === 'pieces'
        ? `one is ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`
        : (answers[answer] ?? answer);
    const says = value === '' ? 'is blank' : `says "${value}"`;
    return `"${column}" ${says}: ${said}${wholeColumn === true ? ', and so with all others of this column' : ''}`;
  }
  if ((action === 'layout_agreed' || action === 'layout_removed') && typeof name === 'string')
    return `layout "${name}", version ${version}`;
  if (action === 'read_again' && typeof withdrawn === 'number')
    return `${withdrawn === 1 ? '1 PO was' : `${withdrawn} POs were`} withdrawn`;
  return undefined;
};
