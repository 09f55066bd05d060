import { createContext, useContext } from 'react';
import type { Me, SignInOptions } from '../../../api-contract/access.ts';
import { isFirstView } from './first-data.ts';
import { request } from './request.ts';

export const readMe = (): Promise<Me> => request<Me>('/me', { asStranger: true });

export const readSignInOptions = (): Promise<SignInOptions> =>
  request<SignInOptions>('/sign-in', { asStranger: true });

export const signIn = (name: string, password: string): Promise<unknown> =>
  request('/sign-in', { method: 'POST', body: { name, password }, asStranger: true });

export const setUp = (link: string, name: string, password: string): Promise<unknown> =>
  request('/set-up', { method: 'POST', body: { link, name, password }, asStranger: true });

export const signOut = (): Promise<unknown> => request('/sign-out', { method: 'POST', asStranger: true });

/** The signed-in user; always set below the session gate. */
export const MeContext = createContext<Me | undefined>(undefined);

export const useMe = (): Me => {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe is used outside of the session gate.');
  return me;
};

/** Whether the person may release, retry, upload and so on, and the page is interactive. */
export const useMayAct = (): boolean => useMe().role !== 'viewer' && !isFirstView;
