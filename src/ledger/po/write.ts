import { isActiveState } from '../../placing/types.ts';
import { assertMaySet, type ChangeName } from './who-changes-what.ts';

/** The columns that a change may set. `changed_at` is derived. */
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

/**
 * Columns visible to people and programs: setting one of them sets `changed_at`. Settling an alarm is not among them, because it does not
 * change since when a PO is held.
 */
const shown = [
  'state',
  'reason_code',
  'reason_text',
  'cancelling',
  'holding',
  'alarm',
] as const satisfies readonly PoColumn[];

export interface PoUpdate {
  /** The entry in the table of changes (`who-changes-what.ts`). */
  by: ChangeName;
  /** Alias of the row before the change; default `p`. */
  as?: string;
  /** Further tables for the values and the condition. */
  from?: string;
  /** New values, as SQL. */
  set: Partial<Record<PoColumn, string>>;
  /** Gives its next job a key that the queue has never seen. */
  newRun?: boolean;
  /** Ends its lease. */
  endsLease?: boolean;
  /** SQL: whether a visible column really changes; default: whenever one is set. */
  changedIf?: string;
  /** Which POs, and the guard: what must still be true of them. */
  where: string;
  returning?: string;
}

/** Whether a literal state has a next step; undefined: it is a parameter. */
const hasNextStep = (state: string): boolean | undefined => {
  const named = /^'(\w+)'$/.exec(state)?.[1];
  return named === undefined ? undefined : isActiveState(named);
};

/**
 * SQL: the update of POs. Nothing else in the ledger updates the row, so the invariants are added here: a visible change sets `changed_at`,
 * a PO without a next step returns to the backlog, and a new run gets a key that the queue has never seen. A trigger adds two more, because
 * workers of other versions also write: a changed alarm is unsettled, and a changed PO is not stuck.
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

/** The columns set for a new PO; the others get their defaults. */
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
 * @param values SQL over the rows of `from`, which may have further clauses
 */
export const insertPos = (
  values: Partial<Record<NewPoColumn, string>>,
  { distinct = '', from, returning }: { distinct?: string; from: string; returning?: string },
): string => `insert into purchase_orders (${Object.keys(values).join(', ')})
    select ${distinct} ${Object.values(values).join(', ')} from ${from}
    ${returning === undefined ? '' : `returning ${returning}`}`;
