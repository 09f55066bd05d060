import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { startService } from '../support/run-system.ts';
import { type ReceivedSpan, startCollector } from '../tracing/collector.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

const drop = async (name: string, text: string): Promise<void> => {
  const inbox = join(cli.folder, 'data/accounts/north/inbox');
  await mkdir(inbox, { recursive: true });
  await writeFile(join(inbox, `${name}.tmp`), text);
  await writeFile(join(inbox, `${name}.done`), '');
  await rename(join(inbox, `${name}.tmp`), join(inbox, name));
};

const configure = async (account: object = {}): Promise<{ port: number }> => {
  const service = await startService(cli.databaseUrl, {});
  onTestFinished(() => service.stop());
  const port = await findFreePort();
  await cli.write(
    'cartwright.yaml',
    JSON.stringify({
      dataFolder: 'data',
      console: { port },
      accounts: { north: { baseUrl: service.url, ...account } },
    }),
  );
  return { port };
};

const stateOf = async (po: string): Promise<string> => {
  const { out } = await cli.run('status', po, '--json');
  return JSON.parse(out).purchaseOrders?.[0]?.state ?? 'unknown';
};

test('one file is one trace, from its import to its orders, with account, PO number and result', async () => {
  await configure();
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_RESOURCE_ATTRIBUTES: 'deployment=test' };
  const up = cli.start(['up'], env);
  await up.printed('Press Ctrl-C');
  await drop('orders.csv', 'PO Number,SKU,Qty\nTR-1,SKU-1,2\nTR-2,SKU-1,1\n');
  await expect.poll(() => stateOf('TR-1'), { timeout: 60_000 }).toBe('ordered');
  await expect.poll(() => stateOf('TR-2'), { timeout: 60_000 }).toBe('ordered');
  up.child.kill('SIGTERM');
  await up.ended;
  const reported = await cli.start(['poll'], env).ended;
  expect(reported.exitCode).toBe(0);
  expect((await cli.start(['report'], env).ended).exitCode).toBe(0);

  expect([...collector.paths]).toEqual(['/v1/traces']);
  expect(collector.resource()).toMatchObject({ 'service.name': 'cartwright', deployment: 'test' });
  const spans = collector.spans();
  const named = (name: string, facts: ReceivedSpan['facts'] = {}) =>
    spans.filter(
      (span) =>
        span.name === name && Object.entries(facts).every(([key, value]) => span.facts[key] === value),
    );
  const [file] = named('cartwright import file');
  expect(file!.facts).toMatchObject({
    'cartwright.account': 'north',
    'cartwright.file.name': 'orders.csv',
    'cartwright.result': 'staged',
    'cartwright.rows': 2,
  });
  for (const po of ['TR-1', 'TR-2']) {
    const about = { 'cartwright.po_number': po };
    const [placed] = named('cartwright place purchase order', { ...about, 'cartwright.state': 'ordered' });
    expect(placed).toMatchObject({ traceId: file!.traceId, facts: { 'cartwright.account': 'north' } });
    const calls = spans.filter(({ parentSpanId }) => parentSpanId === placed!.spanId);
    expect(calls.map(({ facts }) => facts['cartwright.call'])).toEqual(
      expect.arrayContaining(['createCart', 'addItem', 'createOrder']),
    );
    // A request to another system (OTLP: SPAN_KIND_CLIENT).
    expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set([3]));
    const [order] = named('cartwright createOrder', about);
    expect(order!.facts).toMatchObject({
      'cartwright.result': 'ok',
      'cartwright.order_number': expect.stringMatching(/./),
    });
  }
  expect(named('cartwright poll', { 'cartwright.account': 'north' }).at(-1)!.facts).toMatchObject({
    'cartwright.result': 'polled',
    'cartwright.purchase_orders.seen': 2,
  });
  expect(named('cartwright write result file').at(-1)).toMatchObject({
    traceId: file!.traceId,
    facts: { 'cartwright.account': 'north' },
  });
  expect(named('cartwright write status report', { 'cartwright.account': 'north' })).toHaveLength(1);
  // BullMQ's own spans, without those of idle queues.
  expect(spans.some(({ name }) => name.startsWith('process'))).toBe(true);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter(({ name, parentSpanId }) => name === 'getNextJob' && !ids.has(parentSpanId!))).toEqual(
    [],
  );
});

test('the trace of each file has exactly its POs, also if POs of another file made room for them', async () => {
  await configure({ inFlight: 1 });
  const collector = await startCollector();
  const files = ['A', 'B', 'C'].map((name) => ({
    name: `${name}.csv`,
    poNumbers: Array.from({ length: 6 }, (_, place) => `${name}-${place}`),
  }));
  const all = files.flatMap(({ poNumbers }) => poNumbers);
  for (const { name, poNumbers } of files)
    await drop(name, `PO Number,SKU,Qty\n${poNumbers.map((po) => `${po},SKU-1,1\n`).join('')}`);
  const up = cli.start(['up'], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await up.printed('Press Ctrl-C');
  for (const po of all) await expect.poll(() => stateOf(po), { timeout: 60_000 }).toBe('ordered');
  up.child.kill('SIGTERM');
  await up.ended;

  const spans = collector.spans();
  const traces = files.map(({ name }) => {
    const imports = spans.filter(
      ({ facts }) => facts['cartwright.file.name'] === name && facts['cartwright.rows'],
    );
    return [...new Set(imports.map(({ traceId }) => traceId))];
  });
  expect(traces.flat()).toHaveLength(3);
  for (const [place, { poNumbers }] of files.entries()) {
    const mine = spans.filter(({ traceId }) => traceId === traces[place]![0]);
    const shown = mine.flatMap(({ facts }) => facts['cartwright.po_number'] ?? []);
    expect([...new Set(shown)].sort()).toEqual(poNumbers);
    // One tree: each span has its parent in the same trace, except the first.
    const ids = new Set(mine.map(({ spanId }) => spanId));
    const roots = mine.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name, facts }) => [name, facts['cartwright.rows']])).toEqual([
      ['cartwright import file', 6],
    ]);
    expect(mine.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual(
      [],
    );
  }
  const ofPos = spans.filter(({ facts }) => facts['cartwright.po_number'] !== undefined);
  expect(ofPos.filter(({ traceId }) => !traces.flat().includes(traceId))).toEqual([]);
});

test('a collector that cannot be reached disturbs no order, and is one warning', async () => {
  await configure();
  const port = await findFreePort();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:canary-5f1c@127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    // Every span is a batch of its own.
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
  };
  const up = cli.start(['up'], env);
  await up.printed('Press Ctrl-C');
  await drop('more.csv', 'PO Number,SKU,Qty\nTR-3,SKU-1,2\nTR-4,SKU-1,2\n');
  await expect.poll(() => stateOf('TR-3'), { timeout: 60_000 }).toBe('ordered');
  await up.printed(
    `Traces cannot be sent to the collector at 127.0.0.1:${port}: the connection was refused. `,
  );
  up.child.kill('SIGTERM');
  const { exitCode, out, err } = await up.ended;
  expect(exitCode).toBe(0);
  expect(`${out}${err}`.match(/Traces cannot be sent/g)).toHaveLength(1);
  expect(`${out}${err}`).not.toContain('canary-5f1c');
});

test.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    /No traces are recorded: OTEL_EXPORTER_OTLP_ENDPOINT must be a web address/g,
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /No traces are recorded: OTEL_EXPORTER_OTLP_PROTOCOL is grpc, .* Set it to http\/json/g,
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' },
    /No traces are recorded: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a web address/g,
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    },
    /OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is http\/protobuf; traces are sent as JSON/g,
  ],
])('a wrong variable is one warning: %j', async (env, warning) => {
  await configure();
  const { exitCode, err } = await cli.start(['poll', '--verbose'], env).ended;
  expect(exitCode).toBe(0);
  expect(err.match(warning)).toHaveLength(1);
});

test('without a collector the packages are not loaded', async () => {
  await configure();
  const listLoaded = join(cli.folder, 'list-loaded.cjs');
  await writeFile(
    listLoaded,
    `process.on('exit', () => console.error('LOADED ' + Object.keys(require('node:module')._cache).join(' ')));`,
  );
  const loaded = async (env: Record<string, string>) => {
    const { err } = await cli.start(['poll'], { NODE_OPTIONS: `--require ${listLoaded}`, ...env }).ended;
    const paths = /^LOADED (.*)$/m.exec(err)![1]!;
    return ['exporter-trace-otlp-http', 'sdk-trace', 'bullmq-otel'].filter((name) => paths.includes(name));
  };
  const collector = await startCollector();
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toHaveLength(3);
  expect(await loaded({})).toEqual([]);
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' })).toEqual([]);
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_EXPORTER: 'none' })).toEqual(
    [],
  );
});
