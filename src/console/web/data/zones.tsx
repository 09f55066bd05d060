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
