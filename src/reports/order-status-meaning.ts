import type { OrderStatus } from '../contract/codes.ts';

const meanings: Record<OrderStatus, string> = {
  'In O/E': 'In order entry: the service has it, and nothing is picked yet.',
  'B/O': 'On back-order: it waits for stock.',
  Picking: 'Its pieces are being collected in the warehouse.',
  Checking: 'Its pieces are collected, and checked before they ship.',
  Shipped: 'It has left the warehouse.',
  Invoiced: 'It has shipped, and its invoice is written.',
};

/** The meaning of a service's status in one sentence; null for a status that is not in the interface. Pure. */
export const orderStatusMeaning = (status: string | null): string | null =>
  status === null
    ? 'No status check has shown it yet.'
    : Object.hasOwn(meanings, status)
      ? meanings[status as OrderStatus]
      : null;

/** The meanings of these statuses, in sentences; null if none is known. Pure. */
export const meaningOfStatuses = (statuses: readonly (string | null)[]): string | null =>
  [...new Set(statuses)]
    .flatMap((status) => {
      const meaning = orderStatusMeaning(status);
      return meaning === null ? [] : [status === null ? meaning : `${status}: ${meaning}`];
    })
    .join(' ') || null;
