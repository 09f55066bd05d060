import type { PoFilter } from '../api-contract/purchase-orders.ts';
import type { BulkRun } from '../ledger/console/bulk-runs.ts';
import { bulkFilterOf } from '../placing/bulk-filter.ts';
import type { OperatorAction } from '../placing/operator-actions.ts';

/** The selection that a run acts on. */
interface Selection {
  action: OperatorAction;
  filter: PoFilter;
  /** The accounts of the person; null: all. */
  accounts: readonly string[] | null;
}

const accountsOf = ({ filter, accounts }: Selection): readonly string[] | null =>
  filter.account === undefined ? accounts : [filter.account];

const share = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null || a.some((one) => b.includes(one));

const canBeEqual = <T>(a: T | undefined, b: T | undefined): boolean =>
  a === undefined || b === undefined || a === b;

/**
 * Whether two runs may act on the same POs, by accounts, import, states and cause, whatever their actions. Compares the filters and not
 * their present results, because POs change; parts of numbers are not compared, because one number can contain both. Pure.
 */
const mayOverlap = (a: Selection, b: Selection): boolean => {
  const [one, other] = [bulkFilterOf(a.action, a.filter), bulkFilterOf(b.action, b.filter)];
  return (
    share(accountsOf(a), accountsOf(b)) &&
    share(one.state, other.state) &&
    canBeEqual(a.filter.importId, b.filter.importId) &&
    canBeEqual(a.filter.reason, b.filter.reason) &&
    canBeEqual(a.filter.message, b.filter.message) &&
    canBeEqual(a.filter.alarmCause, b.filter.alarmCause) &&
    canBeEqual(a.filter.assignee, b.filter.assignee) &&
    canBeEqual(one.settled, other.settled) &&
    canBeEqual(a.filter.alarm, b.filter.alarm) &&
    canBeEqual(a.filter.quote, b.filter.quote)
  );
};

/** The running runs that may act on the same POs as a planned one. Pure. */
export const overlappingRuns = (runs: readonly BulkRun[], planned: Selection): BulkRun[] =>
  runs.filter((run) => mayOverlap({ ...run, filter: run.filter as PoFilter }, planned));
