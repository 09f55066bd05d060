import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type Query, request } from './request.ts';

/** Reads from the API. The key begins with the topic, as the live stream names it. */
export const useRead = <Answer>(
  queryKey: readonly unknown[],
  path: string,
  { query, ...options }: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> & { query?: Query } = {},
) =>
  useQuery<Answer>({
    queryKey,
    queryFn: ({ signal }) => request<Answer>(path, { query, signal }),
    ...options,
  });
