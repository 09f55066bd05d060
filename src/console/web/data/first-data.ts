/** An API read, and the query key of its answer. */
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

/** The first reads of a page. The server sends the answers with the page, so that the browser need not request them. */
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

/** The answers that came with this page; none without a session, or if the ledger took too long. */
export const readFirstAnswers = (): FirstAnswer[] =>
  JSON.parse(document.getElementById('first-answers')?.textContent || '[]');

/** Whether this runs on the server, which does not know the browser's time zone. */
export const isFirstView = typeof document === 'undefined';
