/** One process's share of an account's calls in flight. Times in milliseconds on the ledger's clock. */
export interface CallShare {
  /** Calls that it may make at the same time, or is still making. */
  calls: number;
  /** Its running and waiting calls; 0: it needs none. */
  wanted: number;
  /** Since when it has calls, or has none. */
  since: number;
  /** When the share expires; until then it counts even if its process was killed. */
  until: number;
}

/** A process's request for a share. */
export interface ShareRequest {
  process: string;
  /** The account's limit over all processes. */
  limit: number;
  /** Its calls in flight. */
  running: number;
  /** Its running and waiting calls. */
  wanted: number;
  now: number;
  /** How long the share is valid. */
  validMs: number;
}

/** How long a process keeps its only call while there are more processes than calls. */
const keepsCallsMs = 2000;

/** Each process's fair part: what it wants, up to an equal share, and an equal share of the rest. Never more than the limit in total. */
const fairParts = (wanted: ReadonlyMap<string, number>, limit: number): Map<string, number> => {
  const parts = new Map<string, number>();
  let left = limit;
  const byWish = [...wanted].toSorted(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
  byWish.forEach(([process, wish], at) => {
    const part = Math.min(wish, Math.floor(left / (byWish.length - at)));
    parts.set(process, part);
    left -= part;
  });
  byWish.reverse().forEach(([process], at) => {
    const more = Math.ceil(left / (byWish.length - at));
    parts.set(process, parts.get(process)! + more);
    left -= more;
  });
  return parts;
};

/**
 * How many of an account's calls a process may make, given the shares of all others: its fair part, minus what others still
 * have of it. If there are more processes than calls, they take turns. Pure. The sum over all processes never exceeds the
 * limit, because a share counts until its process no longer uses it.
 *
 * @returns `shares` to be stored, and `usable`: what the process may use from now on
 */
export const shareOut = (
  before: Readonly<Record<string, CallShare>>,
  { process, limit, running, wanted, now, validMs }: ShareRequest,
): { shares: Record<string, CallShare>; usable: number } => {
  const others = Object.entries(before).filter(([name, share]) => name !== process && share.until > now);
  const mine = before[process] ?? { calls: 0, wanted: 0, since: now, until: now };
  const free = Math.max(0, limit - others.reduce((sum, [, { calls }]) => sum + calls, 0));
  const wishes = new Map(others.filter(([, share]) => share.wanted > 0).map(([n, s]) => [n, s.wanted]));
  if (wanted > 0) wishes.set(process, wanted);
  const contended = wishes.size > limit;
  const starving = others.filter(([, share]) => share.wanted > 0 && share.calls === 0);
  const waitsSince = mine.wanted > 0 && mine.calls === 0 ? mine.since : now;

  const target = (): number => {
    if (wanted === 0) return 0;
    if (!contended) return fairParts(wishes, limit).get(process)!;
    if (mine.calls > 0) return starving.length > 0 && now - mine.since >= keepsCallsMs ? 0 : 1;
    const isBefore = (name: string, { since }: CallShare) =>
      since < waitsSince || (since === waitsSince && name < process);
    return starving.filter(([name, share]) => isBefore(name, share)).length < free ? 1 : 0;
  };
  const usable = Math.min(target(), free);
  const calls = Math.max(usable, running);
  const changed = mine.wanted === 0 || mine.calls > 0 !== calls > 0;
  const since = changed ? now : mine.since;
  const shares = Object.fromEntries(others);
  if (calls > 0 || wanted > 0) shares[process] = { calls, wanted, since, until: now + validMs };
  return { shares, usable };
};
