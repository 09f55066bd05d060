/** A read of the API and the key under which the page keeps its answer. */
export interface FirstQuery {
  queryKey: readonly string[];
  /** Below /api/v1. */
  path: string;
}

/** The answer to one of them. */
export interface FirstAnswer {
  queryKey: readonly string[];
  data: unknown;
}

const details: Record<string, string> = { 'purchase-orders': 'purchase-order', imports: 'import' };

/** What a page shows first. The server sends the answers with the page, so that the browser need not ask for them. */
export const firstQueriesOf = (page: string): FirstQuery[] => {
  const [, list, id] = /^\/(purchase-orders|imports)\/(\d+)$/.exec(page) ?? [];
  return [
    { queryKey: ['me'], path: '/me' },
    { queryKey: ['accounts'], path: '/accounts' },
    { queryKey: ['bulk', 'running'], path: '/bulk?running=true&limit=5' },
    ...(page === '/' ? [{ queryKey: ['today'], path: '/today' }] : []),
    ...(list && id ? [{ queryKey: [details[list]!, id], path: `/${list}/${id}` }] : []),
  ];
};

/** The answers that came with this page; none for a stranger, or where the ledger took too long. */
export const readFirstAnswers = (): FirstAnswer[] =>
  JSON.parse(document.getElementById('first-answers')?.textContent || '[]');

/** Whether the page is being drawn by the server, which knows neither the browser's time zone nor what it will do. */
export const isFirstView = typeof document === 'undefined';
