import type { SavedView, ViewPage } from '../../../api-contract/views.ts';
import { useRead } from './request.ts';

/** The saved views of a list. */
export const useViews = (page: ViewPage) =>
  useRead<{ items: SavedView[] }>(['views', page], '/views', { query: { page }, staleTime: 30_000 });
