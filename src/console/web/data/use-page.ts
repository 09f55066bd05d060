import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Query, request } from './request.ts';

/** One page of a list. Its cursor is in the page's address, so that the browser's back button goes back a page. */
export const usePage = <Page extends { items: unknown[]; next: string | null }>(
  topic: string,
  path: string,
  query: Query,
) =>
  useQuery({
    queryKey: [topic, path, query],
    queryFn: ({ signal }) => request<Page>(path, { query, signal }),
    placeholderData: keepPreviousData,
  });
