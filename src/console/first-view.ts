import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';
import { cookiesOf } from './access/session-cookie.ts';
import type { ConsoleApp, ConsoleDeps } from './console-app.ts';

/** What src/console/web/first-view.tsx exports, as the build made it. */
interface WebApp {
  firstQueriesOf(page: string): { queryKey: readonly string[]; path: string }[];
  renderFirstView(page: string, answers: readonly FirstAnswer[]): Promise<string | undefined>;
}

interface FirstAnswer {
  queryKey: readonly string[];
  data: unknown;
}

/**
 * The parts of a page, each as soon as it is known: for a person who is signed in with what it shows first; for others, and
 * after too long, without.
 */
export type FirstView = (page: string, request: FastifyRequest, path: string) => AsyncGenerator<string>;

/** A page waits so long for its first answers; without them the browser asks for them. */
const patienceMs = 1500;

const place = '<div id="first-view"></div>';

/** JSON that ends no script element, whatever a file or a service named something. */
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Puts into a page what it shows first: the answers of the API, asked for as the person who opened it, and of the page Today
 * also its HTML. So the page can be read before its program has run, and needs no requests of its own.
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
    // Without a session, or where something is missing, the page itself says so.
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
      // It cannot be used yet: inert until the program takes its place.
      return `<div id="first-view" inert>${html}</div><script type="application/json" id="first-answers">${asJson(answers)}</script>`;
    } catch (error) {
      logger.warn({ err: error }, 'could not draw the first view of a console page; the browser draws it');
      return '';
    }
  };

  return async function* parts(page, request, path) {
    const [head, rest] = page.split(place);
    if (session.read(request) === undefined || rest === undefined) return yield page;
    // Sent at once: the browser fetches scripts and styles while the ledger is read.
    yield head!;
    yield await draw(request, path);
    yield rest;
  };
};
