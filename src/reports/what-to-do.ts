import { endReasons, explainHold } from '../placing/hold-reasons.ts';
import type { PurchaseOrderState } from '../placing/types.ts';

/** A sentence that says what a person can do about a PO; blank if nothing. Pure. */
export const whatToDo = (po: {
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  quoteOnly?: boolean | undefined;
  alarm?: string | undefined;
}): string => {
  if (po.alarm !== undefined) return 'Compare the order with the file and with the service.';
  if (po.reasonCode === 'corrected') return endReasons.corrected.advice;
  switch (po.state) {
    case 'rejected':
      return endReasons.row_issues.advice;
    case 'held':
      return (
        explainHold(po.reasonCode, po.quoteOnly ?? false)?.advice ??
        'A person has to decide: release it, or cancel it.'
      );
    case 'failed':
      return endReasons.refused_by_service.advice;
    case 'cancelled':
      return endReasons[po.reasonCode === 'quoted' ? 'quoted' : 'cancelled'].advice;
    case 'ordered':
    case 'closed':
      return '';
    default:
      return 'Nothing; it is being placed.';
  }
};
