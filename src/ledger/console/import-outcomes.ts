import type { ImportOutcome } from '../../api-contract/imports.ts';
import { rowsWithoutPo } from '../import-counts.ts';
import { isActive, isOpenRefusal, listed, posOfFile, shownState } from '../purchase-order-sql.ts';

const active = `exists (select from purchase_orders a where a.import_id = i.id and ${isActive('a')})`;

const finished = `i.state = 'read' and not ${active}`;
/** The import asks for a PO that is ordered or quoted, here or in another file, or for one that is not. */
const hasPo = (well: boolean): string => `exists (select from ${posOfFile('i.id')} w
  where (w.state in ('ordered', 'closed') or w.reason_code is not distinct from 'quoted') = ${well})`;
/** Something of the file was not ordered as asked. */
const lacksSome = `(${hasPo(false)} or ${rowsWithoutPo('i')} > 0)`;

/** The file contains no order, neither new nor repeated. */
const empty = `(not exists (select from purchase_orders p where p.import_id = i.id)
  and not exists (select from repeated_purchase_orders r where r.import_id = i.id))`;

const nothing = `${finished} and not ${hasPo(true)} and (${lacksSome} or ${empty})`;
/** One of the file's POs is in one of these states, as counted. */
const some = (...states: string[]): string =>
  `exists (select from ${posOfFile('i.id')} w where ${shownState('w')} in (${listed(states)}))`;
const nothingWrong = `not ${some('failed', 'rejected')} and ${rowsWithoutPo('i')} = 0`;
/** Everything left of the file waits for a person. */
const allHeld = `(${some('held')} and ${nothingWrong})`;
const noneNeeded = `(${some('not_needed', 'corrected')} and not ${some('held')} and ${nothingWrong})`;

/** SQL: an import `i` has this outcome. */
export const outcomes: Record<ImportOutcome | 'finished', string> = {
  reading: `i.state = 'taken'`,
  waiting: `i.state = 'waiting'`,
  placing: `i.state = 'read' and ${active}`,
  refused: isOpenRefusal('i'),
  repeated: `i.state = 'repeated'`,
  finished,
  complete: `${finished} and not ${lacksSome} and not ${empty}`,
  partly_ordered: `${finished} and ${hasPo(true)} and ${lacksSome}`,
  held: `${nothing} and ${allHeld}`,
  nothing_ordered: `${nothing} and not ${allHeld} and not ${noneNeeded}`,
  not_needed: `(i.state = 'refused' and i.settled_at is not null or ${nothing} and ${noneNeeded})`,
};
