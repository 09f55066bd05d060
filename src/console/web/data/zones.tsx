import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { AccountSummary, AccountsAnswer } from '../../api/schemas/accounts.ts';
import { request } from './request.ts';

const accountsQuery = {
  queryKey: ['accounts'],
  queryFn: ({ signal }: { signal: AbortSignal }) => request<AccountsAnswer>('/accounts', { signal }),
};

const Accounts = createContext<readonly AccountSummary[]>([]);

/** Reads the accounts once for the whole page: filters list them, and times are shown in their zones. */
export const AccountsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useQuery({ ...accountsQuery, staleTime: 60_000 });
  return <Accounts value={data?.items ?? []}>{children}</Accounts>;
};

/** The accounts that the person may see; empty until they are known. */
export const useAccounts = (): readonly AccountSummary[] => useContext(Accounts);

/** The time zone of an account; undefined: the browser's. */
export const useZoneOf = (account: string | null | undefined): string | undefined =>
  useContext(Accounts).find((one) => one.account === account)?.timeZone ?? undefined;

/**
 * The one zone of a column with times of several accounts: that of the account that is chosen, or of all of them if they share
 * one; otherwise the browser's. Two zones in a column would make what came later look earlier.
 * @returns `name` is for its heading
 */
export const useColumnZone = (account: string | undefined): { zone: string | undefined; name: string } => {
  const all = useContext(Accounts);
  const zones = new Set(
    all.filter((one) => (account ?? one.account) === one.account).map((one) => one.timeZone),
  );
  const zone = zones.size === 1 ? ([...zones][0] ?? undefined) : undefined;
  return { zone, name: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
};
