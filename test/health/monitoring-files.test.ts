import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { ObservedCall } from '../../src/dealer-api/answers.ts';
import { createHealth } from '../../src/health/create-health.ts';
import { busyFigures, healthParts, noFigures } from './health-parts.ts';

const folder = fileURLToPath(new URL('../../samples/monitoring/', import.meta.url));
const run = promisify(execFile);
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

interface Rule {
  alert: string;
  expr: string;
}
const rules: { groups: { rules: Rule[] }[] } = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8'));
const alerts = rules.groups.flatMap((group) => group.rules);
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string }[] };
}
const dashboard: Dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'));

/** All metrics that a process can show. */
const readMetrics = async (): Promise<string> => {
  const call: ObservedCall = { name: 'addItem', result: 'unknown', durationMs: 5, serviceTime: undefined };
  const health = createHealth(
    healthParts({
      readFigures: async () => ({
        ...noFigures,
        accounts: [busyFigures('north')],
        holds: { price_above: 1 },
        files: { read: 1 },
        undelivered: 1,
        undeliveredSince: new Date(),
        backup: { dueAt: new Date(), endedAt: new Date() },
      }),
      backupDue: (lastDueAt) => lastDueAt,
      readQueues: async () => [
        { queue: 'create-cart', waiting: 1, active: 0, delayed: 0, waitingSince: new Date() },
      ],
      pollDueAfter: (_account, polledAt) => polledAt,
      onCall: (listener) => listener('north', call),
    }),
  );
  const { text } = await health.metrics();
  health.stop();
  return text;
};

// In CI, where .ci/run installs it, a missing promtool fails the test.
test.skipIf(!hasPromtool && process.env.CI === undefined)(
  'promtool accepts the alert rules, the sample configuration and the metrics',
  async () => {
    await run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
    const config = await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
    expect(config.stdout).toContain('SUCCESS');
    const checking = run('promtool', ['check', 'metrics']);
    checking.child.stdin!.end(await readMetrics());
    // It also complains about names of Node's own metrics.
    const { stdout, stderr } = await checking.catch((thrown) => thrown as { stdout: string; stderr: string });
    expect(`${stdout}${stderr}`).not.toMatch(/cartwright_|error while linting/);
  },
);

const rate = '5+5x40';
const cases: { alert: string; series: Record<string, string>; labels: Record<string, string> }[] = [
  {
    alert: 'CartwrightDown',
    series: { 'up{job="cartwright",instance="a"}': '0x40' },
    labels: { job: 'cartwright', instance: 'a' },
  },
  {
    alert: 'CartwrightServerUnreachable',
    series: { 'cartwright_up{instance="a",server="ledger"}': '0x40' },
    labels: { instance: 'a', server: 'ledger' },
  },
  {
    alert: 'CartwrightNoWorker',
    series: { 'cartwright_workers{role="placing"}': '0x40', 'cartwright_workers{role="files"}': '1x40' },
    labels: {},
  },
  {
    alert: 'CartwrightAccountPaused',
    series: { 'cartwright_account_paused{account="north",code="denied"}': '1x40' },
    labels: { account: 'north', code: 'denied' },
  },
  {
    alert: 'CartwrightOrdersStalled',
    series: { 'cartwright_stalled_purchase_orders{account="north"}': '1x40' },
    labels: { account: 'north' },
  },
  {
    alert: 'CartwrightOrdersHeld',
    series: { 'cartwright_held_purchase_orders{reason="price_above"}': '2x40' },
    labels: {},
  },
  {
    alert: 'CartwrightAlarm',
    series: { 'cartwright_alarms{account="north"}': '1x40' },
    labels: { account: 'north' },
  },
  {
    alert: 'CartwrightFilesUnread',
    series: { 'cartwright_oldest_unread_file_seconds{account="north"}': '0+60x40' },
    labels: { account: 'north' },
  },
  {
    alert: 'CartwrightFileProblem',
    series: { 'cartwright_file_problems{account="north"}': '1x40' },
    labels: { account: 'north' },
  },
  {
    alert: 'CartwrightStatusesOld',
    series: { 'cartwright_poll_lag_seconds{account="north"}': '6000+60x40' },
    labels: { account: 'north' },
  },
  {
    alert: 'CartwrightCallsUnclear',
    series: {
      'cartwright_api_calls_total{account="north",result="unknown"}': rate,
      'cartwright_api_calls_total{account="north",result="ok"}': rate,
    },
    labels: { account: 'north' },
  },
  { alert: 'CartwrightQueueHeld', series: { cartwright_held_queues: '1x40' }, labels: {} },
  {
    alert: 'CartwrightQueueSlow',
    series: { 'cartwright_queue_oldest_waiting_seconds{queue="create-cart"}': '0+60x40' },
    labels: { queue: 'create-cart' },
  },
  {
    alert: 'CartwrightNotificationsUndelivered',
    series: { cartwright_oldest_undelivered_notification_seconds: '0+60x40' },
    labels: {},
  },
  {
    alert: 'CartwrightBackupOverdue',
    series: { cartwright_backup_overdue_seconds: '9000+60x40' },
    labels: {},
  },
];

test('every alert has a case in which it fires', () => {
  expect(cases.map(({ alert }) => alert)).toEqual(alerts.map(({ alert }) => alert));
});

test.skipIf(!hasPromtool && process.env.CI === undefined)(
  'promtool: each alert fires in its case, and none without figures of it',
  async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'cartwright-rules-'));
    onTestFinished(() => rm(temporary, { recursive: true }));
    const file = join(temporary, 'rules-test.json');
    // Annotations differ from case to case.
    const labelsOnly = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8'));
    for (const rule of labelsOnly.groups[0].rules) delete rule.annotations;
    await writeFile(join(temporary, 'rules.json'), JSON.stringify(labelsOnly));
    const severity = (name: string) =>
      labelsOnly.groups[0].rules.find(({ alert }: Rule) => alert === name).labels.severity;
    await writeFile(
      file,
      JSON.stringify({
        rule_files: ['rules.json'],
        tests: cases.map((one) => ({
          interval: '1m',
          input_series: Object.entries(one.series).map(([series, values]) => ({ series, values })),
          alert_rule_test: cases.map(({ alert }) => ({
            eval_time: '40m',
            alertname: alert,
            exp_alerts:
              alert === one.alert ? [{ exp_labels: { ...one.labels, severity: severity(alert) } }] : [],
          })),
        })),
      }),
    );
    await run('promtool', ['test', 'rules', file]);
  },
);

test('the alert rules and the dashboard name only metrics that exist', async () => {
  const shown = [
    ...new Set([...(await readMetrics()).matchAll(/^([a-z_]+)(?:\{| )/gm)].map(([, name]) => name!)),
  ];
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
  ];
  const named = expressions.flatMap((text) => text.match(/\b(?:cartwright|process|nodejs)_[a-z_]+/g) ?? []);
  expect(named.filter((name) => !shown.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test('docs/monitoring.md explains every alert', async () => {
  const page = await readFile(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  expect(alerts.map(({ alert }) => alert).filter((alert) => !page.includes(`| \`${alert}\` |`))).toEqual([]);
});
