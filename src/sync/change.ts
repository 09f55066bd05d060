/** The kinds of changes in the feed, and their meanings. */
export const changeKinds = {
  'po.read': 'A purchase file had this PO. What else was found at once follows as a change of its own.',
  'po.rejected': 'Rows of the PO are wrong; `data.issues` says which. Nothing is ordered.',
  'po.corrected': 'A later file has the rejected or failed PO without mistakes.',
  'po.held': 'The PO waits for a person; `data.after.reasonCode` says why.',
  'po.continued':
    'A held, failed or other ended PO continues; also a closed one whose order is no longer final.',
  'po.failed': 'The PO cannot be ordered as it is.',
  'po.cancelled': 'The PO is not ordered, or a quote has its prices.',
  'po.ordered': 'The service has the order: `data.after.orderNumbers`; `data.lines` has its prices.',
  'po.closed': 'All its orders are final. They are not asked for any more.',
  'order.changed':
    'The service shows something else of an order; `data.before` and `data.after` have what changed.',
  'alarm.raised': 'An order differs from its file, or has something else that a person must look at.',
  'alarm.withdrawn': 'What the alarm said is no longer so.',
  'alarm.settled': 'A person says that nothing is left to do about the alarm.',
  'po.settled': 'A person says that the rejected or failed PO is not needed.',
  'po.unsettled': 'The PO is needed again: a person undid the mark, or a later file asks for it again.',
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** A change in the ledger. */
export interface Change {
  /** Stable: the same change always has the same ID. */
  id: string;
  position: string;
  at: string;
  account: string;
  purchaseOrderId: string;
  poNumber: string;
  orderNumber: string | null;
  kind: ChangeKind;
  /** The old values by field; null: none. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  importId: string | null;
  fileName: string | null;
  /** The issues of a rejected PO. */
  issues: unknown[] | null;
  /** The lines of an ordered PO, with the prices that the service answered. */
  lines: unknown[] | null;
}

/** A change as sent to programs: CloudEvents 1.0, JSON. */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  /** The PO number. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  data: Record<string, unknown>;
}

/** Converts a change to the event that the feed and webhooks send alike. Pure. */
export const toCloudEvent = (
  { id, at, account, kind, poNumber, position: _, ...data }: Change,
  era: string,
): CloudEvent => ({
  specversion: '1.0',
  id: `${era}:${id}`,
  source: `/cartwright/accounts/${encodeURIComponent(account)}`,
  type: `cartwright.${kind}`,
  subject: poNumber,
  time: at,
  datacontenttype: 'application/json',
  data: {
    account,
    poNumber,
    ...Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
  },
});
