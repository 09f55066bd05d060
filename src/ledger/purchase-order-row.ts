import type { ActiveState, TakenPurchaseOrder } from '../placing/types.ts';

/** The columns of a PO's row that placing changes. */
type PlacingColumns = Pick<
  TakenPurchaseOrder,
  | 'state'
  | 'epoch'
  | 'cartEpoch'
  | 'cartNumber'
  | 'rebuilds'
  | 'lookups'
  | 'failures'
  | 'failingForMs'
  | 'baseline'
  | 'cancelling'
  | 'holding'
>;

/** SQL: the columns of purchase_orders that `readPlacingColumns` reads. */
export const placingColumns = (po: string): string => `
    ${po}.state, ${po}.epoch, ${po}.cart_epoch, ${po}.cart_number, ${po}.rebuilds, ${po}.lookups, ${po}.failures,
    coalesce(extract(epoch from clock_timestamp() - ${po}.failing_since) * 1000, 0)::float8 as failing_for_ms,
    ${po}.baseline, ${po}.cancelling, ${po}.holding`;

export const readPlacingColumns = (row: Record<string, unknown>): PlacingColumns => ({
  state: row.state as ActiveState,
  epoch: row.epoch as number,
  cartEpoch: (row.cart_epoch as number | null) ?? undefined,
  cartNumber: (row.cart_number as string | null) ?? undefined,
  rebuilds: row.rebuilds as number,
  lookups: row.lookups as number,
  failures: row.failures as number,
  failingForMs: row.failing_for_ms as number,
  baseline: (row.baseline as string[] | null) ?? undefined,
  cancelling: row.cancelling as boolean,
  holding: row.holding as boolean,
});
