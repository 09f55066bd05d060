import { createContext, type ReactNode, useContext } from 'react';
import type { SeenTimes } from '../../../api-contract/access.ts';
import type { AccountSummary, AccountsAnswer } from '../../../api-contract/accounts.ts';
import { useRead } from './request.ts';
import { MeContext } from './session.ts';

const Accounts = createContext<readonly AccountSummary[]>([]);

/** Reads the accounts once for the whole page: filters list them, and times are shown in their zones. */
export const AccountsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useRead<AccountsAnswer>(['accounts'], '/accounts', { staleTime: 60_000 });
  return <Accounts value={data?.items ?? []}>{children}</Accounts>;
};

/** The accounts that the person may see; empty until they are known. */
export const useAccounts = (): readonly AccountSummary[] => useContext(Accounts);

/** How the person sees times; pages of a stranger have no times. */
export const useSeenTimes = (): SeenTimes => useContext(MeContext) ?? { times: 'mixed', zone: 'account' };

/** The time zone of an account; undefined: the browser's, also for a person who sees all times in it. */
export const useZoneOf = (account: string | null | undefined): string | undefined => {
  const found = useContext(Accounts).find((one) => one.account === account)?.timeZone;
  return useSeenTimes().zone === 'own' ? undefined : (found ?? undefined);
};

/**
 * The one zone of a column with times of several accounts: that of the account that is chosen, or of all of them if they share
 * one; otherwise the browser's, also for a person who sees all times in it. Two zones in a column would make what came later look earlier.
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

/** The zone that the head of a page names, for all times below it: a page of several accounts would show each in a zone that nothing names. */
export const PageZone = createContext<{ zone: string | undefined } | undefined>(undefined);

/**
 * A column that says how long ago something was. For a person who sees the times themselves, they are in one zone, which its heading names.
 */
export const useTimeColumn = (
  word: string,
  account?: string,
): { title: string; column: { zone: string | undefined } } => {
  const column = useColumnZone(account);
  return { title: useSeenTimes().times === 'absolute' ? `${word} (${column.name})` : word, column };
};
