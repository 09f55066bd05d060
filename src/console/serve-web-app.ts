import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import serveFiles from '@fastify/static';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { ConsoleApp } from './console-app.ts';
import type { FirstView } from './first-view.ts';
import { ConsoleProblem } from './problems.ts';

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cartwright</title>
<p>The console's pages are not built. Run <code>npm run build</code> in the folder of Cartwright and start it again. Its API works: see <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></html>`;

/** The policies apply to documents. Repeated on each script, they would be a tenth of the first page's transfer. */
const assetHeaders = {
  contentSecurityPolicy: false,
  crossOriginOpenerPolicy: false,
  dnsPrefetchControl: false,
  frameguard: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  referrerPolicy: false,
  xssFilter: false,
} as const;

const ofApp = (path: string): boolean => !/^\/(?:api|queues|assets|healthz)(?:\/|$)/.test(path);

/** The page in the person's chosen colour scheme from the first paint; the system's without a choice. */
const inColours = (page: string, { cookies }: FastifyRequest): string => {
  const chosen = cookies['cartwright-colours'];
  if (chosen !== 'light' && chosen !== 'dark') return page;
  return page.replace('<html lang="en"', `<html lang="en" data-mantine-color-scheme="${chosen}"`);
};

/**
 * Serves the built web app: its assets, whose names change with their content, for a year, and its page for every other address. The page
 * needs no session; with one, it includes its first data.
 * @param folder dist/console; it may be missing
 */
export const serveWebApp = async (app: ConsoleApp, folder: string, firstView: FirstView): Promise<void> => {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await app.register(async (files) => {
      files.addHook('onRoute', (route: RouteOptions) => {
        route.config = { ...route.config, needs: 'nothing', helmet: assetHeaders };
      });
      files.addHook('onSend', async (request, reply) => {
        if (reply.statusCode < 400 && request.url.startsWith('/assets/')) {
          reply.header('cache-control', 'public, max-age=31536000, immutable');
        }
      });
      await files.register(serveFiles, {
        root: folder,
        index: false,
        wildcard: false,
        cacheControl: false,
        globIgnore: ['index.html'],
        preCompressed: true,
      });
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    if (!['GET', 'HEAD'].includes(request.method) || !ofApp(path)) {
      throw new ConsoleProblem('not_found', 'Nothing was found at this address.');
    }
    reply.type('text/html; charset=utf-8');
    if (!isBuilt) return reply.code(503).send(notBuilt);
    // Read for each request, because a build may replace it while the console runs.
    const page = inColours(await readFile(join(folder, 'index.html'), 'utf8'), request);
    return reply.send(Readable.from(firstView(page, request, path)));
  });
};
