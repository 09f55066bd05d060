import type { Logger } from '../logger.ts';
import type { Observation } from './decision.ts';
import type { PlacingRules } from './options.ts';
import type { PlacingLedger } from './placing-ledger.ts';
import { waitedForLagMs } from './transition-for.ts';
import type { TakenPurchaseOrder } from './types.ts';

/**
 * Records for the account that a cart became readable only after several lookups, which means that readLag is too low.
 * Logged when it took longer than ever before.
 */
export const noteLag = async (
  { ledger, logger }: { ledger: Pick<PlacingLedger, 'noteReadLag'>; logger: Logger },
  po: TakenPurchaseOrder,
  rules: PlacingRules,
  seen: Observation,
): Promise<void> => {
  if (po.state !== 'items_added' || po.lookups === 0 || seen.saw !== 'lookup') return;
  if (seen.cart !== 'equal' && seen.cart !== 'unreadable') return;
  const lagMs = rules.readLagMs + waitedForLagMs(po.lookups);
  if (!(await ledger.noteReadLag(po.account, lagMs))) return;
  const seconds = Math.ceil(lagMs / 1000);
  logger.warn(
    { account: po.account, poNumber: po.poNumber, waitMs: lagMs },
    `The service shows changes only after up to ${seconds} s; set accounts.${po.account}.readLag to ${seconds}s`,
  );
};
