import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Complete systems under faults, kills and suspensions, thousands of simulated systems, and fuzz tests. */
const proof = [
  ...[
    'chaos',
    'crash',
    'engines',
    'faults',
    'night-shift',
    'package',
    'queue-loss',
    'real-file',
    'restore',
    'simulation',
    'upgrade',
  ].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/**/fuzz.test.ts',
  // Runs the commands of the pages in its own checkout.
  'test/docs/run-commands.test.ts',
  // Each starts, kills and awaits several processes, or does one thing many times.
  ...[
    'cli/answer',
    'cli/ask-columns',
    'cli/bad-input',
    'cli/broken-configuration',
    'cli/canaries',
    'cli/demo',
    'cli/doctor',
    'cli/file-permissions',
    'cli/import',
    'cli/init',
    'cli/layouts',
    'cli/look-in-files',
    'cli/map',
    'cli/map-settings',
    'cli/notify',
    'cli/operator-actions',
    'cli/orders',
    'cli/probe',
    'cli/queue-holds',
    'cli/remote',
    'cli/remote-schedules',
    'cli/results-up-to-date',
    'cli/sandbox',
    'cli/schedules-and-reload',
    'cli/servers-that-go',
    'cli/service-control',
    'cli/service-manager',
    'cli/service-secrets',
    'cli/start-patience',
    'cli/statistics',
    'cli/status',
    'cli/stopping',
    'cli/template',
    'cli/traces',
    'cli/uncaught-errors',
    'cli/wait-again',
    'console/frozen-database',
    'console/large-upload',
    'console/nights',
    'console/sign-in',
    'dispatch/machines',
    'dispatch/served-accounts',
    'embedded/places',
    'embedded/shared-server',
    'embedded/two-hosts',
    'health/monitoring-files',
    'intake/columns/hostile-columns',
    'intake/columns/mapping-benchmark',
    'intake/columns/several-sheets',
    'intake/encodings-of-languages',
    'intake/hostile-files',
    'intake/reading-limits',
    'intake/remarks-anywhere',
    'ledger/backup',
    'mock/mock-page',
    'mock/start-service',
    'notify/answers',
    'notify/notifier',
    'queue/queue-on-postgres',
    'queue/queue-on-redis',
    'queue/shared-redis',
    'reports/layout-results',
    'reports/result-xlsx',
    'reports/returned-file',
    'scenarios/isolation',
    'service/processes',
    'soak/short',
    'sources/connect-sftp',
    'sync/webhooks',
    'worker/exchange-files',
    'worker/lost-server',
    'worker/prune',
  ].map((name) => `test/${name}.test.ts`),
];

/** Those that take more than a minute, longest first: started last, one of them would run alone at the end. */
const longest = [
  ...['faults', 'crash', 'other-faults', 'small', 'restore', 'backup-file', 'short', 'run-commands'],
  ...['addresses', 'status'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Stories of operators in a real browser, which needs Chromium. */
const browser = 'test/browser/**/*.test.ts';

const patient = { testTimeout: 600_000, expect: { poll: { timeout: 45_000 } } };

// Loading all modules again for each file took up to half of the time. The test files of a worker therefore share the modules,
// and each leaves what they share as it found it.
const sharing = { isolate: false, setupFiles: ['test/support/restored-state.ts'] };

export default defineConfig({
  resolve: {
    // Spreadsheets are read by the built child, which starts three times as fast as the source.
    alias: [
      {
        find: /^\.\/child-program\.ts$/,
        replacement: fileURLToPath(
          new URL('dist/src/intake/formats/spreadsheet/child-program.js', import.meta.url),
        ),
      },
    ],
  },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Real servers start and stop in these; two cores are what the slowest supported machine has. These tests leave a part of them idle.
    maxWorkers: 3,
    // A command of the command line takes three seconds to start on a busy machine, and some tests run a dozen.
    testTimeout: 120_000,
    // Dropping a database waits for a checkpoint, which takes long while other programs write much.
    hookTimeout: 180_000,
    // The test database is stopped at the end; on a busy machine that takes more than the default of 10 s.
    teardownTimeout: 60_000,
    // A busy machine takes longer than the default of one second.
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // `npm test`: minutes.
      {
        extends: true,
        test: {
          name: 'tests',
          ...sharing,
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...proof, browser],
        },
      },
      // `npm run proof`: longer. Its limits are for what hangs: a busy machine may take three times as long as another.
      // Processes that start, stop and wait leave the cores idle for a third of the time.
      // A group of its own, as the projects of one group have as many workers, and `vitest run FILE` names none.
      {
        extends: true,
        test: {
          name: 'proof',
          include: proof,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...sharing,
          ...patient,
        },
      },
      // `npm run test:browser`: needs Chromium.
      { extends: true, test: { name: 'browser', include: [browser], ...sharing, ...patient } },
      // `npm run screenshots`: draws the pictures of the documentation.
      { extends: true, test: { name: 'screenshots', include: ['test/browser/take-screenshots.ts'] } },
    ],
  },
});
