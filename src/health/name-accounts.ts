import type { AccountFigures } from '../ledger/figures.ts';

/** The name under which accounts without metrics of their own are counted together. */
export const otherAccounts = 'other';

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, n) => total + n, 0);

const finished = new Set(['ordered', 'closed', 'rejected', 'failed', 'cancelled']);

const unfinished = ({ states }: AccountFigures): number =>
  sum(Object.fromEntries(Object.entries(states).filter(([state]) => !finished.has(state))));

const needsAttention = (one: AccountFigures): boolean =>
  one.pauseCode !== undefined || one.pollFailed || one.alarms > 0 || one.fileProblems > 0;

/**
 * Chooses the accounts with metrics of their own. If there are more than `most`: those that need attention, then those with the
 * most unfinished POs, then those with the most POs. So up to `most` accounts in trouble are never hidden among the others.
 */
export const nameAccounts = (
  accounts: readonly AccountFigures[],
  most: number,
): { named: readonly AccountFigures[]; others: readonly AccountFigures[] } => {
  if (accounts.length <= most) return { named: accounts, others: [] };
  const ranked = accounts
    .map((one) => ({
      one,
      rank: [Number(needsAttention(one)), unfinished(one), sum(one.states)] as const,
    }))
    .sort(
      (a, b) =>
        b.rank[0] - a.rank[0] ||
        b.rank[1] - a.rank[1] ||
        b.rank[2] - a.rank[2] ||
        (a.one.account < b.one.account ? -1 : 1),
    )
    .map(({ one }) => one);
  return { named: ranked.slice(0, most), others: ranked.slice(most) };
};
