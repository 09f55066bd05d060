import { keepPreviousData } from '@tanstack/react-query';
import type { Query } from './request.ts';
import { useRead } from './use-read.ts';

/** One page of a list. Its cursor is in the page's address, so that the browser's back button goes back a page. */
export const usePage = <Page extends { items: unknown[]; next: string | null }>(
  topic: string,
  path: string,
  query: Query,
) => useRead<Page>([topic, path, query], path, { query, placeholderData: keepPreviousData as never });
