import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { newSecret } from '../../src/console/access/secrets.ts';
import { notePurchaseOrder } from '../../src/ledger/changes.ts';
import { startSession } from '../../src/ledger/console/sessions.ts';
import { addUser } from '../../src/ledger/console/users.ts';
import type { ConsoleServer } from './console-server.ts';
import { type Figure, median } from './figures.ts';
import { postgresCpuMs } from './postgres-cpu.ts';

const secondsOfChanges = 30;
const changesPerSecond = 100;
const slowedBy = 4;
const visits = 5;

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });

const signIn = async (pool: pg.Pool): Promise<string> => {
  const { secret, hash } = newSecret();
  const user = { name: `bench ${Date.now()}`, role: 'viewer', accounts: null, password: null } as const;
  await startSession(pool, {
    user: (await addUser(pool, user, { who: 'bench', via: 'command line' }))!,
    tokenHash: hash,
    previousTokenHash: undefined,
    address: '127.0.0.1',
    browser: 'bench',
    limits: { idleMs: 3_600_000, absoluteMs: 86_400_000 },
  });
  return secret;
};

/** Records when the browser draws the first frame with the sentence of the page Today. */
const watchForSentence = `
  new MutationObserver((_, observer) => {
    if (window.usefulAt || !/Needs you|All quiet|Nothing needs you/.test(document.querySelector('main')?.textContent ?? '')) return;
    window.usefulAt = -1;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.usefulAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true, characterData: true });`;

const open = async (browser: Browser, url: string, secret: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([{ name: 'cartwright', value: secret, url }]);
  return context.newPage();
};

/** One visit with an empty cache: the time to the sentence of Today, and the bytes of the scripts on the wire. */
const visit = async (browser: Browser, url: string, secret: string) => {
  const page = await open(browser, url, secret);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  const scripts = new Set<string>();
  let scriptBytes = 0;
  cdp.on('Network.responseReceived', ({ type, requestId }) => type === 'Script' && scripts.add(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.addInitScript(watchForSentence);
  await page.goto(url);
  let usefulMs = 0;
  while (!(usefulMs > 0)) {
    await sleep(50);
    usefulMs = (await page.evaluate('window.usefulAt ?? 0')) as number;
  }
  // Scripts that load right after it also belong to the first page.
  await sleep(500);
  await page.context().close();
  return { usefulMs, scriptBytes };
};

/** Processor time of all processes of the browser, in ms. */
const browserCpuMs = async (browser: Browser): Promise<number> => {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
};

/** Changes POs like a worker, evenly over the time. */
const change = async (pool: pg.Pool, pos: number): Promise<void> => {
  const startedAt = performance.now();
  for (let at = 0; at < secondsOfChanges * changesPerSecond; at += 1) {
    const { rows } = await pool.query<{ id: string; account: string; importId: string }>(
      `update purchase_orders set changed_at = clock_timestamp(), state = case state when 'ready' then 'cart_created' else 'ready' end
       where id = $1 returning id::text, account, import_id::text as "importId"`,
      [pos - (at % 800)],
    );
    notePurchaseOrder(pool, rows[0]!);
    await sleep(Math.max(0, startedAt + ((at + 1) * 1000) / changesPerSecond - performance.now()));
  }
};

/** The additional processor time of a browser page, the console and Postgres while 100 POs change each second, compared with idle. */
const follow = async (
  browser: Browser,
  { url, process: server }: ConsoleServer,
  secret: string,
  { pool, pos, path }: { pool: pg.Pool; pos: number; path: string },
): Promise<Figure[]> => {
  const page = await open(browser, url, secret);
  await page.goto(`${url}${path}`);
  await page.getByTitle('Live', { exact: true }).waitFor();
  await sleep(5000);
  const used = async () => ({
    browser: await browserCpuMs(browser),
    server: server.cpuMs(),
    database: await postgresCpuMs(pool),
  });
  const before = await used();
  const startedAt = performance.now();
  await change(pool, pos);
  const wallMs = performance.now() - startedAt;
  const after = await used();
  await page.context().close();
  const percent = (what: keyof typeof after) => ((after[what] - before[what]) / wallMs) * 100;
  const name = `${changesPerSecond} changes a second, page ${path}`;
  return [
    { name: `${name}: browser (% of a core)`, value: percent('browser'), target: '<= 10' },
    { name: `${name}: console (% of a core)`, value: percent('server'), target: '<= 2' },
    { name: `${name}: Postgres, with the changes themselves (% of a core)`, value: percent('database') },
  ];
};

/** The cost of the pages in a browser. */
export const measureBrowser = async (
  server: ConsoleServer,
  { pool, pos }: { pool: pg.Pool; pos: number },
): Promise<Figure[]> => {
  const browser = await launch();
  try {
    const secret = await signIn(pool);
    const seen: Awaited<ReturnType<typeof visit>>[] = [];
    for (let at = 0; at < visits; at += 1) seen.push(await visit(browser, server.url, secret));
    return [
      {
        name: `first useful paint with an empty cache and the processor slowed ${slowedBy} times, median of ${visits} (ms)`,
        value: median(seen.map(({ usefulMs }) => usefulMs)),
        target: '<= 1000',
      },
      {
        name: 'scripts of the first page on the wire (KB)',
        value: Math.max(...seen.map(({ scriptBytes }) => scriptBytes)) / 1024,
        target: '<= 200',
      },
      ...(await follow(browser, server, secret, { pool, pos, path: '/' })),
      ...(await follow(browser, server, secret, { pool, pos, path: '/purchase-orders' })),
    ];
  } finally {
    await browser.close();
  }
};
