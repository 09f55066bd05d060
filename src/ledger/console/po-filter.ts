import type { PoFilter as AskedFilter } from '../../api-contract/purchase-orders.ts';
import { holdReasonOf } from '../../placing/hold-reasons.ts';
import { type PurchaseOrderState, poStates } from '../../placing/types.ts';
import { isAssignedTo } from '../assigned.ts';
import { poKeyOf } from '../po-key.ts';
import { alarmCause, hasOpenAlarm, isSettled, messageOf, needsPerson } from '../purchase-order-sql.ts';
import { createBinder, isPart } from './sql-parts.ts';

/** Which POs; every given condition must hold. */
export interface PoFilter extends Omit<AskedFilter, 'state'> {
  state?: readonly PurchaseOrderState[] | undefined;
  /** The POs with a matching number, once found; replaces `po`. */
  ids?: readonly string[] | undefined;
  /** POs with none of these reasons. */
  notReasons?: readonly string[] | undefined;
}

export const poSorts = ['received', 'number'] as const;
export type PoSort = (typeof poSorts)[number];

export interface PoPage {
  /** received: in the order of arrival. number: by PO number. */
  sort?: PoSort;
  /** newest: the latest, or the last number, first. any: for counts, so that they read only the rows that they count. */
  order: 'newest' | 'oldest' | 'any';
  /** Only POs after this one. */
  after?: string | undefined;
  limit: number;
}

type Bind = (value: unknown) => string;

/** SQL: the PO number matches. Deliberately not indexable: `findNumbered` uses the index if few match. */
const isNumbered = (po: string, bind: Bind): string => {
  const key = poKeyOf(po);
  return `strpos(p.po_key, ${bind(key)}::text) ${isPart(key) ? '> 0' : '= 1'}`;
};

const conditions = (filter: PoFilter, bind: Bind): string[] => {
  const { reason, message, importId, alarm, needs, settled, assignee, quote, po, ids } = filter;
  const { changedBefore, changedAfter, notReasons = [] } = filter;
  return [
    ...(reason === undefined ? [] : [`p.reason_code = ${bind(reason)}`]),
    ...(notReasons.length === 0 ? [] : [`coalesce(p.reason_code, '') <> all(${bind(notReasons)}::text[])`]),
    ...(message === undefined ? [] : [`${messageOf('p')} = ${bind(message)}`]),
    ...(importId === undefined ? [] : [`p.import_id = ${bind(importId)}::bigint`]),
    ...(alarm === undefined ? [] : [`${alarm ? '' : 'not '}${hasOpenAlarm('p')}`]),
    ...(filter.alarmCause === undefined
      ? []
      : [`${hasOpenAlarm('p')} and ${alarmCause('p')} = ${bind(filter.alarmCause)}`]),
    ...(needs === undefined
      ? []
      : [needs === 'settling' ? needsPerson('p') : `(p.state = 'held' or ${needsPerson('p')})`]),
    ...(settled === undefined ? [] : [`${settled ? '' : 'not '}(${isSettled('p')})`]),
    ...(assignee === undefined ? [] : [isAssignedTo('po', 'p.id', bind(assignee))]),
    ...(quote === undefined ? [] : [`${quote ? '' : 'not '}p.quote_only`]),
    ...(po === undefined ? [] : [isNumbered(po, bind)]),
    ...(ids === undefined ? [] : [`p.id = any(${bind(ids)}::bigint[])`]),
    ...(changedBefore === undefined ? [] : [`p.changed_at < ${bind(changedBefore)}::timestamptz`]),
    ...(changedAfter === undefined ? [] : [`p.changed_at >= ${bind(changedAfter)}::timestamptz`]),
  ];
};

/** PO numbers are compared bytewise, like in the index one_live_po. */
const directions = {
  newest: { by: 'desc', id: '<', key: '~<~', orEqual: '~<=~', using: '~>~' },
  oldest: { by: 'asc', id: '>', key: '~>~', orEqual: '~>=~', using: '~<~' },
} as const;

/** SQL: the order of a page of the POs `alias`; always the same text, for the indexes. */
export const orderOf = ({ sort, order }: Pick<PoPage, 'sort' | 'order'>, alias: string): string => {
  if (order === 'any') return '';
  const { by, using } = directions[order];
  const byId = `${alias}.id ${by}`;
  return sort === 'number' ? `order by ${alias}.po_key using ${using}, ${byId}` : `order by ${byId}`;
};

const behind = ({ sort, order, after }: Pick<PoPage, 'sort' | 'order' | 'after'>, bind: Bind): string[] => {
  if (after === undefined) return [];
  const { id, key, orEqual } = directions[order === 'newest' ? 'newest' : 'oldest'];
  const last = `${bind(after)}::bigint`;
  if (sort !== 'number') return [`p.id ${id} ${last}`];
  const lastKey = `(select l.po_key from purchase_orders l where l.id = ${last})`;
  return [`p.po_key ${orEqual} ${lastKey}`, `(p.po_key ${key} ${lastKey} or p.id ${id} ${last})`];
};

const where = (all: readonly string[]): string => (all.length > 0 ? `where ${all.join(' and ')}` : '');

/** A PO in one of these states never has a reason. */
const withoutReason: readonly PurchaseOrderState[] = ['ordered', 'closed'];

const statesOf = ({ state, reason, message }: PoFilter): readonly PurchaseOrderState[] => {
  const asked = state ?? poStates;
  if (reason === undefined && message === undefined) return asked;
  return asked.filter((one) =>
    reason !== undefined && holdReasonOf(reason) ? one === 'held' : !withoutReason.includes(one),
  );
};

/**
 * SQL: the ids of a page of POs, by the indexes that placing needs anyway. Each pair of an account and a state is read in
 * the order of `purchase_orders_by_state`, so that a page of common POs reads little more than its own rows. An index with
 * `changed_at` would be written at each step of each PO, and none of these updates would be HOT.
 *
 * @param accounts the accounts that exist, or of them those that the reader may see
 */
export const pageOfIds = (
  filter: PoFilter,
  page: PoPage,
  accounts: readonly string[],
  everyAccount: boolean,
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const { account, state, importId, ids, alarm, reason, message, needs, settled, assignee } = filter;
  // Few POs, found by a partial index whatever their states.
  const isNarrow =
    alarm === true ||
    needs !== undefined ||
    settled === true ||
    assignee !== undefined ||
    filter.alarmCause !== undefined;
  // Bound where they are used: Postgres refuses a parameter that a statement does not name.
  const named = () =>
    `${bind(account === undefined ? accounts : accounts.filter((one) => one === account))}::text[]`;
  const rest = [...conditions(filter, bind), ...behind(page, bind)];
  const most = bind(page.limit);
  const end = (alias: string) => `${orderOf(page, alias)} limit ${most}`;
  const byNumber = page.sort === 'number' && page.order !== 'any';
  const inStates = () => (state === undefined ? [] : [`p.state = any(${bind(state)}::text[])`]);

  // Most POs of an old ledger are closed, so a scan in list order meets them soon.
  const areMost = everyAccount && account === undefined && (state === undefined || state.includes('closed'));
  if (
    importId !== undefined ||
    ids !== undefined ||
    (areMost && !byNumber && !isNarrow && reason === undefined && message === undefined)
  ) {
    // A list of accounts has no sort order, so it cannot serve as an index prefix.
    const inAccounts = everyAccount && account === undefined ? [] : [`p.account = any(${named()})`];
    const all = [...rest, ...inStates(), ...inAccounts];
    return { text: `select p.id from purchase_orders p ${where(all)} ${end('p')}`, values };
  }
  if (byNumber || isNarrow) {
    return {
      text: `select found.id from unnest(${named()}) a(account) cross join lateral (
        select p.id, p.po_key from purchase_orders p ${where(['p.account = a.account', ...rest, ...inStates()])} ${end('p')}) found ${end('found')}`,
      values,
    };
  }
  const states = statesOf(filter);
  const [only] = states;
  // A constant, so that the partial index of held POs can be used.
  const [pairs, inState] =
    states.length === 1
      ? ['', `p.state = '${only}'`]
      : [`cross join unnest(${bind(states)}::text[]) s(state)`, 'p.state = s.state'];
  return {
    text: `select found.id
      from unnest(${named()}) a(account)
      ${pairs} cross join lateral (
        select p.id from purchase_orders p ${where(['p.account = a.account', inState, ...rest])} ${end('p')}) found ${end('found')}`,
    values,
  };
};
