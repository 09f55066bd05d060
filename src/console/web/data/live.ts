import { createStore } from './create-store.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

/** One message of the stream: the changes since the previous one. */
interface Changed {
  topics: string[];
  imports?: string[];
  purchaseOrders?: string[];
}

export type LiveState = 'connecting' | 'live' | 'cut';

const state = createStore<LiveState>('connecting');

/** `alive` comes every 15 seconds; after this long without a message, the stream counts as broken. */
const silenceLimit = 40_000;
/** Minimum interval between refetches, however much changes. */
const pace = 2000;

const detailTopics: Record<string, (changed: Changed) => string[] | undefined> = {
  'purchase-order': (changed) => changed.purchaseOrders,
  import: (changed) => changed.imports,
};

let gathered: Changed[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRead = 0;

/** Topics whose pages also change with another topic. */
const parents: Record<string, string> = {
  'purchase-order': 'purchase-orders',
  orders: 'purchase-orders',
  import: 'imports',
};

/** Whether one of the messages affects a query. */
const concerns = (queryKey: readonly unknown[], changes: readonly Changed[]): boolean => {
  const [topic, id] = queryKey;
  return changes.some((changed) => {
    const ids = detailTopics[String(topic)]?.(changed);
    if (ids) return ids.includes(String(id));
    const parent = parents[String(topic)] ?? topic;
    return changed.topics.includes(String(parent)) || topic === 'today';
  });
};

const readAgain = (): void => {
  timer = undefined;
  lastRead = Date.now();
  const changes = gathered;
  gathered = [];
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => concerns(queryKey, changes) });
};

const note = (changed: Changed): void => {
  gathered.push(changed);
  if (timer === undefined) timer = setTimeout(readAgain, Math.max(0, lastRead + pace - Date.now()));
};

/**
 * Follows the console's stream while the page is visible: one EventSource per page.
 * @returns a function that ends it
 */
export const followChanges = (): (() => void) => {
  let source: EventSource | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let wasCut = false;
  let asking = false;

  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(silence);
    clearTimeout(again);
  };
  /** EventSource does not report a refusal: if the session has ended, this request makes the person sign in. */
  const askWhy = (): void => {
    if (asking) return;
    asking = true;
    request('/me')
      // The banner already says that the page is not live, and the stream retries in any case.
      .catch(() => {})
      .finally(() => {
        asking = false;
      });
  };
  const cut = (againMs = 3000): void => {
    close();
    wasCut = true;
    state.set('cut');
    again = setTimeout(open, againMs);
    askWhy();
  };
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => cut(), silenceLimit);
  };
  const open = (): void => {
    close();
    if (document.hidden) return;
    source = new EventSource('/api/v1/events');
    heard();
    source.onopen = () => {
      heard();
      state.set('live');
      // Changes during the interruption are not on the page yet.
      if (wasCut) void queryClient.invalidateQueries();
      wasCut = false;
    };
    source.onerror = () => cut();
    source.addEventListener('alive', heard);
    // Usually the session continues with other rights.
    source.addEventListener('ended', () => cut(300));
    source.addEventListener('changed', (event) => {
      heard();
      note(JSON.parse((event as MessageEvent<string>).data));
    });
  };
  const onVisibility = (): void => {
    if (document.hidden) {
      wasCut = true;
      close();
    } else if (!source) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
    state.set('connecting');
  };
};

/** The present state of live updates. */
export const useLiveState = state.use;
