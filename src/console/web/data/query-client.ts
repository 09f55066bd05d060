import { notifyManager, QueryClient } from '@tanstack/react-query';
import { RequestFailed } from './request.ts';

/** Whether the same request can succeed later without anyone doing anything. */
const isPassing = (error: unknown): boolean =>
  error instanceof RequestFailed && (error.status === 0 || error.status >= 500 || error.status === 429);

// A pressed button must be disabled before the next event; with a timer, a second change could be sent without the first one's result.
notifyManager.setScheduler(queueMicrotask);

/**
 * Query keys begin with their topic in the live stream: `['purchase-orders', ...]`. The stream reports changes; without it, pages refetch
 * every 20 seconds.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      networkMode: 'always',
      retry: (failures, error) => isPassing(error) && failures < 2,
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
      // A page recovers automatically once the console or its database is back.
      refetchInterval: (query) =>
        query.state.status === 'error' && isPassing(query.state.error) ? 5000 : false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Shows what a change answered. A read that began before the change would replace it with what was before. */
export const showAnswer = async <Answer>(
  queryKey: readonly unknown[],
  answer: (before: Answer | undefined) => Answer | undefined,
): Promise<void> => {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<Answer>(queryKey, answer);
};
