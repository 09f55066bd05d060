import { actionEvents } from '../api-contract/action-words.ts';
import type { ImportTimeline } from '../api-contract/imports.ts';
import type { ImportEvent } from '../ledger/console/import-events.ts';
import { countOf } from './action-words.ts';
import { reasonMeaning } from './reason-words.ts';

const words: Record<string, string> = {
  ...actionEvents,
  uploaded: 'Uploaded in the console',
  upload_confirmed: 'Confirmed in the console',
  layout_agreed: 'Said what files with this header mean',
  answered: 'Said what a value means',
  no_order: 'Said that the file is no order',
  corrected_rows: 'Corrected rows of another import, of which this one is made',
  corrected: 'Corrected in the console',
  upload_discarded: 'Discarded the upload',
  read_again: 'Read again with another mapping',
  taken: 'Picked up',
  read: 'Read',
  refused: 'Refused',
  repeated: 'Recognised as a repetition',
  ordered: 'Ordered',
  held: 'Held',
  failed: 'Failed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  bulk_stopped: 'Stopped an action on many POs',
  write_result: 'Asked for the result file',
  result: 'Result file written',
};

/** An entry of an import's timeline in words. Pure. */
export const describeImportEvent = ({
  code,
  rowCount,
  reasonCode,
  ...event
}: ImportEvent): ImportTimeline['events'][number] => ({
  ...event,
  state: event.state as ImportTimeline['events'][number]['state'],
  what:
    reasonCode === 'quoted'
      ? 'Quoted'
      : (words[code === 'state' ? (event.state ?? '') : code] ?? code.replaceAll('_', ' ')),
  detail:
    rowCount === null
      ? (event.detail ?? (reasonCode === null ? null : (reasonMeaning(reasonCode) ?? null)))
      : countOf(rowCount, 'row'),
});
