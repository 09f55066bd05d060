import type { SavedView, ViewPage } from '../../api/schemas/views.ts';
import { request } from './request.ts';

/** The saved views of a list. */
export const viewsQuery = (page: ViewPage) => ({
  queryKey: ['views', page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request<{ items: SavedView[] }>('/views', { query: { page }, signal }),
  staleTime: 30_000,
});
