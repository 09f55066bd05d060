import { isActiveState } from '../../placing/types.ts';
import { assertMaySet, type ChangeName } from './who-changes-what.ts';

/** The columns that a change may set. `changed_at` follows from what is set. */
export type PoColumn =
  | 'first_row'
  | 'line_count'
  | 'options'
  | 'content_hash'
  | 'file_hash'
  | 'state'
  | 'reason_code'
  | 'reason_text'
  | 'epoch'
  | 'cart_epoch'
  | 'cart_number'
  | 'rebuilds'
  | 'baseline'
  | 'lookups'
  | 'failures'
  | 'failing_since'
  | 'cancelling'
  | 'holding'
  | 'approvals'
  | 'alarm'
  | 'alarm_code'
  | 'alarm_settled_at'
  | 'quantities_checked'
  | 'next_at'
  | 'stalled_since'
  | 'run'
  | 'lease_owner'
  | 'lease_until'
  | 'ordered_at'
  | 'closed_at'
  | 'looked_up_at'
  | 'dispatch';

/** What people and programs see of a PO: setting one of these sets `changed_at`. Not the settling of an alarm, which does not change since when a PO is held. */
const shown = [
  'state',
  'reason_code',
  'reason_text',
  'cancelling',
  'holding',
  'alarm',
] as const satisfies readonly PoColumn[];

export interface PoUpdate {
  /** Which change it is, of the table of who may change what. */
  by: ChangeName;
  /** The name of the row as it was; default `p`. */
  as?: string;
  /** Other rows that the values and the condition use. */
  from?: string;
  /** New values, as SQL. */
  set: Partial<Record<PoColumn, string>>;
  /** The key of its next job has never been in the queue. */
  newRun?: boolean;
  /** No worker has it any more. */
  endsLease?: boolean;
  /** SQL: whether what people see really changes; default: always, if it is set. */
  changedIf?: string;
  /** Which POs, and what must still be true of them: the guard. */
  where: string;
  returning?: string;
}

/** Whether a state that a statement names has a next step; undefined: it is a parameter. */
const hasNextStep = (state: string): boolean | undefined => {
  const named = /^'(\w+)'$/.exec(state)?.[1];
  return named === undefined ? undefined : isActiveState(named);
};

/**
 * SQL: the update of POs. Nothing else in the ledger updates the row, so what is true after every change is added here: a change that
 * people see sets `changed_at`, a PO without a next step returns to the backlog, and a new run gets a key that the queue has never seen.
 * A trigger adds two more, because workers of other versions write too: an alarm that changes is unsettled, and a PO that changes is not
 * stuck.
 */
export const updatePos = (update: PoUpdate): string => {
  const { by, as = 'p', from, set, newRun, endsLease, where, returning, changedIf = 'true' } = update;
  const isShown = shown.some((column) => column in set);
  const given: Partial<Record<PoColumn, string>> = {
    ...set,
    ...(newRun ? { run: `${as}.run + 1` } : {}),
    ...(endsLease ? { lease_owner: 'null', lease_until: 'null' } : {}),
  };
  assertMaySet(by, Object.keys(given) as PoColumn[]);
  const values: Partial<Record<PoColumn | 'changed_at', string>> = {
    ...given,
    ...(set.state !== undefined && hasNextStep(set.state) === false ? { dispatch: `'backlog'` } : {}),
    ...(isShown
      ? {
          changed_at:
            changedIf === 'true'
              ? 'clock_timestamp()'
              : `case when ${changedIf} then clock_timestamp() else ${as}.changed_at end`,
        }
      : {}),
  };
  const assigned = Object.entries(values).map(([column, value]) => `${column} = ${value}`);
  return `update purchase_orders ${as} set ${assigned.join(', ')}
    ${from === undefined ? '' : `from ${from}`} where ${where} ${returning === undefined ? '' : `returning ${returning}`}`;
};

/** What a new PO is given; the rest is as the table says. */
type NewPoColumn =
  | 'account'
  | 'po_number'
  | 'po_key'
  | 'import_id'
  | 'first_row'
  | 'line_count'
  | 'options'
  | 'content_hash'
  | 'file_hash'
  | 'po_written'
  | 'quote_only'
  | 'state'
  | 'reason_code'
  | 'reason_text'
  | 'turn';

/**
 * SQL: adds POs.
 *
 * @param values as SQL on the rows of `from`, which may have more clauses
 */
export const insertPos = (
  values: Partial<Record<NewPoColumn, string>>,
  { distinct = '', from, returning }: { distinct?: string; from: string; returning?: string },
): string => `insert into purchase_orders (${Object.keys(values).join(', ')})
    select ${distinct} ${Object.values(values).join(', ')} from ${from}
    ${returning === undefined ? '' : `returning ${returning}`}`;
