import { createContext, type ReactNode, useContext } from 'react';
import type { SeenTimes } from '../../../api-contract/access.ts';
import type { AccountSummary, AccountsAnswer } from '../../../api-contract/accounts.ts';
import { useRead } from './request.ts';
import { MeContext } from './session.ts';

const Accounts = createContext<readonly AccountSummary[]>([]);

/** Loads the accounts once for the whole page, for filters and for the time zones of times. */
export const AccountsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useRead<AccountsAnswer>(['accounts'], '/accounts', { staleTime: 60_000 });
  return <Accounts value={data?.items ?? []}>{children}</Accounts>;
};

/** The accounts that the person may see; empty until they are known. */
export const useAccounts = (): readonly AccountSummary[] => useContext(Accounts);

/** The person's time settings; pages without a session show no times. */
export const useSeenTimes = (): SeenTimes => useContext(MeContext) ?? { times: 'mixed', zone: 'account' };

/** The time zone of an account; undefined: the browser's, including for people who see all times in it. */
export const useZoneOf = (account: string | null | undefined): string | undefined => {
  const found = useContext(Accounts).find((one) => one.account === account)?.timeZone;
  return useSeenTimes().zone === 'own' ? undefined : (found ?? undefined);
};

/**
 * The single zone of a column with times of several accounts: the chosen account's, or the one that all share; otherwise, or if the person
 * sees all times in it, the browser's. Mixed zones would make later times look earlier.
 * @returns `name` is for its heading
 */
export const useColumnZone = (account: string | undefined): { zone: string | undefined; name: string } => {
  const all = useContext(Accounts);
  const { zone: whose } = useSeenTimes();
  const zones = new Set(
    all.filter((one) => (account ?? one.account) === one.account).map((one) => one.timeZone),
  );
  const zone = zones.size === 1 && whose === 'account' ? ([...zones][0] ?? undefined) : undefined;
  return { zone, name: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
};

/** The zone named in the page head, for all times below it. Otherwise a page of several accounts would show times in unnamed zones. */
export const PageZone = createContext<{ zone: string | undefined } | undefined>(undefined);

/** A column of relative times. For a person who prefers absolute times, they are in one zone, which the heading names. */
export const useTimeColumn = (
  word: string,
  account?: string,
): { title: string; column: { zone: string | undefined } } => {
  const column = useColumnZone(account);
  return { title: useSeenTimes().times === 'absolute' ? `${word} (${column.name})` : word, column };
};
