import { holdReasonOf } from '../../placing/hold-reasons.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { poKeyOf } from '../po-key.ts';
import { hasOpenAlarm } from '../purchase-order-sql.ts';
import { beginsWith, createBinder } from './sql-parts.ts';

/** Which POs; every given condition must hold. */
export interface PoFilter {
  account?: string | undefined;
  state?: readonly PurchaseOrderState[] | undefined;
  reason?: string | undefined;
  importId?: string | undefined;
  alarm?: boolean | undefined;
  quote?: boolean | undefined;
  /** Beginning of the PO number, in any case. */
  po?: string | undefined;
  changedBefore?: string | undefined;
  changedAfter?: string | undefined;
}

export interface PoPage {
  /** any: for counts, which then read no more rows than they count. */
  order: 'newest' | 'oldest' | 'any';
  /** Only POs behind this one. */
  after?: string | undefined;
  limit: number;
}

export const everyState: readonly PurchaseOrderState[] = [
  'rejected',
  'held',
  'ready',
  'cart_created',
  'items_added',
  'submitting',
  'verifying',
  'ordered',
  'closed',
  'failed',
  'cancelled',
];

type Bind = (value: unknown) => string;

const conditions = (filter: PoFilter, bind: Bind): string[] => {
  const { reason, importId, alarm, quote, po, changedBefore, changedAfter } = filter;
  return [
    ...(reason === undefined ? [] : [`p.reason_code = ${bind(reason)}`]),
    ...(importId === undefined ? [] : [`p.import_id = ${bind(importId)}::bigint`]),
    ...(alarm === undefined ? [] : [`${alarm ? '' : 'not '}${hasOpenAlarm('p')}`]),
    ...(quote === undefined ? [] : [`${quote ? '' : 'not '}p.quote_only`]),
    ...(po === undefined ? [] : [beginsWith('p.po_key', `${bind(poKeyOf(po))}::text`)]),
    ...(changedBefore === undefined ? [] : [`p.changed_at < ${bind(changedBefore)}::timestamptz`]),
    ...(changedAfter === undefined ? [] : [`p.changed_at >= ${bind(changedAfter)}::timestamptz`]),
  ];
};

const behind = ({ order, after }: Pick<PoPage, 'order' | 'after'>, bind: Bind): string[] =>
  after === undefined ? [] : [`p.id ${order === 'newest' ? '<' : '>'} ${bind(after)}::bigint`];

const where = (all: readonly string[]): string => (all.length > 0 ? `where ${all.join(' and ')}` : '');

/** A PO in one of these states never has a reason. */
const withoutReason: readonly PurchaseOrderState[] = ['ordered', 'closed'];

const statesOf = ({ state, reason }: PoFilter): readonly PurchaseOrderState[] => {
  const asked = state ?? everyState;
  if (reason === undefined) return asked;
  return asked.filter((one) => (holdReasonOf(reason) ? one === 'held' : !withoutReason.includes(one)));
};

/**
 * SQL: the ids of a page of POs, by the indexes that placing needs anyway. Each pair of an account and a state is read in
 * the order of `purchase_orders_by_state`, so that a page of common POs reads little more than its own rows.
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
  const { account, state, importId, po, alarm, reason } = filter;
  // Bound where they are used: Postgres refuses a parameter that a statement does not name.
  const named = () =>
    `${bind(account === undefined ? accounts : accounts.filter((one) => one === account))}::text[]`;
  const rest = [...conditions(filter, bind), ...behind(page, bind)];
  const order = { newest: 'order by id desc', oldest: 'order by id', any: '' }[page.order];
  const end = `${order} limit ${bind(page.limit)}`;
  const inStates = () => (state === undefined ? [] : [`p.state = any(${bind(state)}::text[])`]);

  // Most POs of an old ledger are closed, so those are found soon in the order of all.
  const areMost = everyAccount && account === undefined && (state === undefined || state.includes('closed'));
  if (importId !== undefined || (areMost && po === undefined && alarm !== true && reason === undefined)) {
    // The accounts are a list without an order of its own, so they would not serve as the beginning of an index.
    const inAccounts = everyAccount && account === undefined ? [] : [`p.account = any(${named()})`];
    const all = [...rest, ...inStates(), ...inAccounts];
    return { text: `select p.id from purchase_orders p ${where(all)} ${end}`, values };
  }
  if (po !== undefined || alarm === true) {
    return {
      text: `select found.id from unnest(${named()}) a(account) cross join lateral (
        select p.id from purchase_orders p ${where(['p.account = a.account', ...rest, ...inStates()])} ${end}) found ${end}`,
      values,
    };
  }
  const states = statesOf(filter);
  const [only] = states;
  // As a constant, so that the partial index of held POs can be used.
  const [pairs, inState] =
    states.length === 1
      ? ['', `p.state = '${only}'`]
      : [`cross join unnest(${bind(states)}::text[]) s(state)`, 'p.state = s.state'];
  return {
    text: `select found.id
      from unnest(${named()}) a(account)
      ${pairs} cross join lateral (
        select p.id from purchase_orders p ${where(['p.account = a.account', inState, ...rest])} ${end}) found ${end}`,
    values,
  };
};
