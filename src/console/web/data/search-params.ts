import type { RegisteredRouter } from '@tanstack/react-router';

type Routes = RegisteredRouter['routesById'];

/** The search parameters of a page, as declared in `router.tsx`. */
export type SearchOf<Page extends keyof Routes> = Routes[Page]['types']['fullSearchSchema'];

/** The query of a page's address as plain text values, so that addresses stay readable and can be typed. */
export const fromQuery = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query.startsWith('?') ? query.slice(1) : query));

/** Empty values are omitted. */
export const toQuery = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const text = String(value ?? '');
    if (text !== '') params.set(name, text);
  }
  const text = params.toString();
  return text ? `?${text}` : '';
};

/** Reads only these parameters of a page's query. */
export const textSearch =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string } =>
    Object.fromEntries(
      names
        .filter((name) => typeof search[name] === 'string' && search[name] !== '')
        .map((name) => [name, search[name]]),
    ) as { [Key in Name]?: string };
