import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';
import { cookiesOf } from './access/session-cookie.ts';
import type { ConsoleApp, ConsoleDeps } from './console-app.ts';

/** The exports of the built src/console/web/first-view.tsx. */
interface WebApp {
  firstQueriesOf(page: string): { queryKey: readonly string[]; path: string }[];
  renderFirstView(page: string, answers: readonly FirstAnswer[]): Promise<string | undefined>;
}

interface FirstAnswer {
  queryKey: readonly string[];
  data: unknown;
}

/** The parts of a page, each sent as soon as it is ready: with first data for a signed-in person; without it for others and after a timeout. */
export type FirstView = (page: string, request: FastifyRequest, path: string) => AsyncGenerator<string>;

/** How long a page waits for its first answers; later, the browser requests them. */
const patienceMs = 1500;

const place = '<div id="first-view"></div>';

/** JSON that cannot close the script element, whatever names from files and services contain. */
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Embeds a page's first data: API answers, requested as the person who opened it, and for the page Today also its HTML. The page can then
 * be read before its scripts have run, and needs no requests of its own.
 */
export const createFirstView = (
  app: ConsoleApp,
  { settings, logger, webFolder }: Pick<ConsoleDeps, 'settings' | 'logger' | 'webFolder'>,
): FirstView => {
  const session = cookiesOf(settings)('session');
  let loading: Promise<WebApp> | undefined;
  const load = (): Promise<WebApp> => {
    loading ??= import(pathToFileURL(join(webFolder, '..', 'console-view', 'first-view.js')).href);
    return loading;
  };

  const ask = async (
    { headers, ip }: FastifyRequest,
    queries: ReturnType<WebApp['firstQueriesOf']>,
  ): Promise<FirstAnswer[] | undefined> => {
    const passed = ['host', 'cookie', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for'];
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => passed.includes(name)));
    const found = await Promise.all(
      queries.map(async ({ queryKey, path }) => {
        const answer = await app.inject({ url: `/api/v1${path}`, headers: own, remoteAddress: ip });
        return answer.statusCode === 200 ? { queryKey, data: answer.json() } : undefined;
      }),
    );
    // Without a session, or if data is missing, the page itself says so.
    return found.includes(undefined) ? undefined : (found as FirstAnswer[]);
  };

  const draw = async (request: FastifyRequest, path: string): Promise<string> => {
    try {
      const web = await load();
      const answers = await Promise.race([
        ask(request, web.firstQueriesOf(path)),
        sleep(patienceMs, undefined, { ref: false }),
      ]);
      if (!answers) return '';
      const html = (await web.renderFirstView(path, answers)) ?? '';
      // Not usable yet, so inert until the app replaces it.
      return `<div id="first-view" inert>${html}</div><script type="application/json" id="first-answers">${asJson(answers)}</script>`;
    } catch (error) {
      logger.warn({ err: error }, 'could not draw the first view of a console page; the browser draws it');
      return '';
    }
  };

  return async function* parts(page, request, path) {
    const [head, rest] = page.split(place);
    if (session.read(request) === undefined || rest === undefined) return yield page;
    // Sent at once, so that the browser fetches scripts and styles while the ledger is read.
    yield head!;
    yield await draw(request, path);
    yield rest;
  };
};
