import type { EventKind } from './kinds.ts';
import { isOfAccount, isOfPo, namedEvents } from './plan-messages.ts';
import type { Outbox, Section } from './types.ts';

/** Messages younger than this are not re-checked. */
const freshMs = 60_000;

const ofPos = async (
  outbox: Outbox,
  { kind, purchaseOrderIds: ids = [], ...section }: Section,
): Promise<Section> => {
  const standing = await outbox.listStandingPos(kind as EventKind, ids);
  const counts: Record<string, number> = {};
  if (Object.keys(section.counts).length > 0)
    for (const { detail } of standing) if (detail !== null) counts[detail] = (counts[detail] ?? 0) + 1;
  return {
    ...section,
    kind,
    count: standing.length,
    counts,
    first: standing.slice(0, namedEvents).map(({ id, poNumber, at, detail, importId, about }) => ({
      ...{ at: at.toISOString(), subject: poNumber, detail, purchaseOrderId: id, importId },
      ...(about ? { about } : {}),
    })),
    settled: ids.length - standing.length,
  };
};

/**
 * Updates a section of a message that had to wait, for example for the end of quiet hours: only counts what was settled meanwhile.
 * Immediate and final events stay unchanged.
 */
export const withoutSettled = async (outbox: Outbox, section: Section): Promise<Section> => {
  const { purchaseOrderIds: ids, ...told } = section;
  if (outbox.now.getTime() - Date.parse(section.until) < freshMs) return told;
  if (isOfPo(section.kind) && ids !== undefined) return ofPos(outbox, section);
  const { kind, account } = section;
  if (kind !== 'backup_failed' && !(isOfAccount(kind) && account !== null)) return told;
  if (await outbox.stillHolds(kind, account, new Date(section.until))) return told;
  return { ...told, count: 0, counts: {}, first: [], settled: 1 };
};
