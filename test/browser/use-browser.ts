import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Role } from '../../src/api-contract/access.ts';
import { serveConsole } from '../../src/cli/serve-console.ts';
import { newSecret } from '../../src/console/access/secrets.ts';
import type { ListeningConsole } from '../../src/console/listen-console.ts';
import { startSession } from '../../src/ledger/console/sessions.ts';
import { addUser } from '../../src/ledger/console/users.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import type { Runtime } from '../../src/worker/open-runtime.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, type System, startService } from '../support/run-system.ts';
import { type Address, startAddress } from '../support/start-address.ts';

/** Pictures of pages; the folder is ignored by git. */
export const picturesFolder = fileURLToPath(new URL('../../coverage/pictures/', import.meta.url));

const chromiumOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

interface OpenOptions {
  /** Undefined: not signed in. */
  role?: Role;
  /** Undefined: all accounts. */
  accounts?: string[];
  width?: number;
  scheme?: 'light' | 'dark';
}

interface BrowserUse {
  system: System;
  service: ListeningService;
  /** Restarts the service, optionally at a given port. */
  startService(port?: number): Promise<ListeningService>;
  runtime: Runtime;
  console: ListeningConsole;
  /** A page in a new user's browser, not navigated yet. */
  open(options?: OpenOptions): Promise<Page>;
  /** Names of the users of the opened pages, latest last. */
  users: string[];
  /** Cartwright's connection to the ledger's Postgres, if `cuttable` was set. */
  database: Address;
}

/**
 * A complete Cartwright with its service, console and workers in this process, and a browser. Every error of a page and
 * every violation of the content security policy fails the test in which it occurs.
 * @param options.cuttable `database` can take the ledger's Postgres away
 */
export const useBrowser = (
  accounts: Record<string, Record<string, unknown>> = { north: {} },
  serviceConfig: object = {},
  { cuttable = false }: { cuttable?: boolean } = {},
): BrowserUse => {
  const use = { users: [] } as unknown as BrowserUse;
  let browser: Browser;
  let faults: string[] = [];
  const refusals = new WeakMap<Page, string[]>();
  const contexts: BrowserContext[] = [];
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    mkdirSync(picturesFolder, { recursive: true });
    const [ledger, orders] = [await createTestDatabase({ migrated: true }), await createTestDatabase()];
    closers.push(orders.drop, ledger.drop);
    const names = Object.keys(accounts);
    const tokenOf = (name: string) => `${name}-sandbox-token`;
    const dealers = names.map((name) => ({ name, token: tokenOf(name) }));
    use.startService = (port = 0) => startService(orders.url, { dealers, ...serviceConfig, port });
    use.service = await use.startService();
    closers.push(() => use.service.stop());
    const ledgerUrl = new URL(ledger.url);
    if (cuttable) {
      const port = Number(ledgerUrl.port);
      use.database = await startAddress(() => port);
      closers.push(async () => use.database.stop());
      ledgerUrl.port = String(use.database.port);
    }
    use.system = await createSystem({
      ledgerUrl: ledgerUrl.href,
      accounts: Object.fromEntries(
        Object.entries(accounts).map(([name, settings]) => [
          name,
          { baseUrl: use.service.url, token: tokenOf(name), ...settings },
        ]),
      ),
      console: { port: 0 },
    });
    closers.push(() => use.system.stop());
    use.runtime = (await use.system.work()).runtime;
    use.console = await serveConsole(use.runtime);
    closers.push(() => use.console.stop());
    browser = await chromium.launch(chromiumOptions);
    closers.push(() => browser.close());
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });
  afterEach(async ({ task }) => {
    // A page that did not show what was expected tells most by what it shows instead, and by what it was refused.
    if (task.result?.state === 'fail')
      for (const page of contexts.flatMap((context) => context.pages()))
        process.stderr.write(
          `${task.name}: ${page.url()}\n${refusals.get(page)?.join('\n') ?? ''}\n${(await page.innerText('body').catch(String)).slice(0, 4000)}\n`,
        );
    for (const context of contexts.splice(0)) await context.close();
    const found = faults;
    faults = [];
    expect(found, 'errors of the pages').toEqual([]);
  });

  use.open = async ({ role, accounts: only, width = 1280, scheme = 'light' } = {}) => {
    const context = await browser.newContext({
      baseURL: use.console.url,
      viewport: { width, height: width < 500 ? 800 : 900 },
      colorScheme: scheme,
      acceptDownloads: true,
    });
    contexts.push(context);
    context.setDefaultTimeout(60_000);
    if (role) {
      const { pool } = use.runtime.ledger;
      const { secret, hash } = newSecret();
      const name = `${role} ${use.users.length + 1}`;
      const user = await addUser(
        pool,
        { name, role, accounts: only ?? null, password: null },
        { who: 'test', via: 'command line' },
      );
      await startSession(pool, {
        user: user!,
        tokenHash: hash,
        previousTokenHash: undefined,
        address: '127.0.0.1',
        browser: 'test',
        limits: use.runtime.config.console.session,
      });
      use.users.push(name);
      await context.addCookies([{ name: 'cartwright', value: secret, url: use.console.url }]);
    }
    const page = await context.newPage();
    const refused: string[] = [];
    refusals.set(page, refused);
    page.on('response', (response) => {
      if (response.status() >= 400)
        refused.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // The browser itself logs each failed request; tests check what the page shows.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        faults.push(message.text());
    });
    return page;
  };
  return use;
};

/** A purchase file of this many POs with one line each, all with prices above the expected ones. */
export const pricedFile = (prefix: string, count: number, expectedPrice = '0.50'): string =>
  [
    'po_number,item_sku,quantity,expected_price',
    ...Array.from(
      { length: count },
      (_, at) => `${prefix}${at + 1},SKU-${at % 40},${1 + (at % 4)},${expectedPrice}`,
    ),
    '',
  ].join('\n');
