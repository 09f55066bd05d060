import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Import, readSources, type SourceFile } from './support/read-imports.ts';

const files = readSources('src', 'jobs');
const byPath = new Map(files.map((file) => [file.path, file]));

/** `ledger` for `src/ledger/pool.ts`, `errors.ts` for `src/errors.ts`, `jobs` for `jobs/x.ts`. */
const folderOf = (path: string): string => {
  const [top, second] = path.split('/');
  return top === 'src' ? second! : top!;
};

/** One sentence for each import that a module boundary does not allow. */
const broken = (
  boundary: string,
  isWrong: (imported: Import, folder: string, file: SourceFile) => boolean,
): string[] =>
  files.flatMap((file) =>
    file.imports
      .filter((imported) => isWrong(imported, folderOf(file.path), file))
      .map(({ to }) => `${file.path} imports ${to}; ${boundary}`),
  );

test('the parser sees the project: files, imports, and who reads the environment', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(byPath.get('src/ledger/pool.ts')?.imports.map(({ to }) => to)).toContain('pg');
  expect(byPath.get('src/config/load-config.ts')?.readsEnvironment).toBe(true);
});

test.each(['contract', 'api-contract'])('boundary 1: %s imports only zod', (contract) => {
  const wrong = broken(
    `boundary 1: src/${contract} imports zod and its own files only`,
    ({ to, inProject }, folder) =>
      folder === contract && (inProject ? folderOf(to) !== contract : to !== 'zod'),
  );
  expect(wrong).toEqual([]);
});

const rules = ['intake', 'placing', 'tracking', 'reports', 'template', 'notify', 'sources'];

test('boundary 1: the folders with the rules use ledger, client and queue through interfaces only', () => {
  const boundary = 'boundary 1: pass it as an argument, and use `import type` or an interface';
  const passedIn = ['ledger', 'dealer-api', 'dispatch', 'queue', 'worker', 'service', 'embedded'];
  const wrong = broken(
    boundary,
    ({ to, inProject, typeOnly }, folder) =>
      rules.includes(folder) && inProject && !typeOnly && passedIn.includes(folderOf(to)),
  );
  expect(wrong).toEqual([]);
});

/** Packages and the folders that may import them. `types`: further folders that may import their types. */
const owned: { packages: string[]; folders: string[]; types: string[] }[] = [
  { packages: ['got'], folders: ['dealer-api'], types: [] },
  {
    packages: ['pg'],
    // `embedded` queries its own server about owners and heartbeat, never about purchase orders.
    folders: ['ledger', 'service', 'embedded'],
    // These only pass a pool on.
    types: ['cli', 'console', 'queue', 'worker'],
  },
  { packages: ['pg-copy-streams'], folders: ['ledger'], types: [] },
  { packages: ['bullmq', 'ioredis'], folders: ['queue'], types: ['jobs'] },
  { packages: ['@bull-board/api', '@bull-board/fastify', '@bull-board/ui'], folders: ['queue'], types: [] },
  // It stores its limits in the ledger.
  { packages: ['rate-limiter-flexible'], folders: ['ledger'], types: [] },
  { packages: ['nodemailer'], folders: ['notify'], types: [] },
  { packages: ['ssh2'], folders: ['sources'], types: [] },
  { packages: ['bullmq-otel'], folders: ['queue'], types: [] },
  {
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-node',
    ],
    folders: ['tracing'],
    types: [],
  },
  { packages: ['openid-client'], folders: ['console'], types: [] },
  { packages: ['prom-client'], folders: ['health'], types: [] },
  { packages: ['commander', 'cli-table3', 'cli-progress'], folders: ['cli'], types: [] },
];

test('boundary 2: got is imported in dealer-api, SQL in ledger, service and embedded, BullMQ in queue only', () => {
  const wrong = owned.flatMap(({ packages, folders, types }) =>
    broken(
      `boundary 2: ${packages.join(' and ')} may be imported in src/${folders.join(' and src/')} only`,
      ({ to, inProject, typeOnly }, folder) =>
        !inProject &&
        packages.includes(to) &&
        !folders.includes(folder) &&
        !(typeOnly && types.includes(folder)),
    ),
  );
  expect(wrong).toEqual([]);
});

test('boundary 2: a query is sent to a database in ledger, service and embedded only', () => {
  const asking = files.filter(({ queries }) => queries).map(({ path }) => path);
  expect(asking).toContain('src/ledger/figures.ts');
  expect(asking.filter((path) => !/^src\/(ledger|service|embedded)\//.test(path))).toEqual([]);
});

test('boundary 2: the environment is read in src/config only', () => {
  const wrong = files
    .filter(({ path, readsEnvironment }) => readsEnvironment && path !== 'src/config/load-config.ts')
    .map(({ path }) => `${path} reads process.env; boundary 2: only src/config/load-config.ts may`);
  expect(wrong).toEqual([]);
});

test('boundary 3: service imports only contract and the type of the logger, and only cli and mock import service', () => {
  const from = broken(
    'boundary 3: src/service may import src/contract, its own files and the type Logger only',
    ({ to, inProject, typeOnly }, folder) =>
      folder === 'service' &&
      inProject &&
      !['service', 'contract'].includes(folderOf(to)) &&
      !(to === 'src/logger.ts' && typeOnly),
  );
  // The configuration file contains the service's settings, so src/config checks them.
  const into = broken(
    'boundary 3: the worker uses the service through its HTTP interface only; src/cli and src/mock start it',
    ({ to, inProject }, folder, { path }) =>
      inProject &&
      folderOf(to) === 'service' &&
      !['service', 'cli', 'mock'].includes(folder) &&
      !(path === 'src/config/schema.ts' && to === 'src/service/config.ts'),
  );
  expect([...from, ...into]).toEqual([]);
});

test('boundary 3: mock needs nothing of the worker', () => {
  const wrong = broken(
    'boundary 3: src/mock puts service and embedded together and imports nothing else but the contract and the logger',
    ({ to, inProject }, folder) =>
      folder === 'mock' &&
      inProject &&
      !['mock', 'service', 'embedded', 'contract'].includes(folderOf(to)) &&
      to !== 'src/logger.ts',
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: jobs import no jobs, and only src/worker imports them', () => {
  const wrong = broken(
    'boundary 4: jobs are enqueued from the state of the ledger, never called by other code',
    ({ to, inProject }, folder) => inProject && folderOf(to) === 'jobs' && folder !== 'worker',
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: only cli imports worker', () => {
  const wrong = broken(
    'boundary 4: src/worker assembles a process; only src/cli imports it',
    ({ to, inProject }, folder) =>
      inProject && folderOf(to) === 'worker' && !['worker', 'cli'].includes(folder),
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: dispatch does not import the queue', () => {
  const wrong = broken(
    'boundary 4: src/dispatch takes the queue as functions',
    ({ to, inProject }, folder) => folder === 'dispatch' && inProject && folderOf(to) === 'queue',
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: intake does not import reports', () => {
  const wrong = broken(
    'boundary 4: src/reports imports src/intake, never the reverse',
    ({ to, inProject }, folder) => folder === 'intake' && inProject && folderOf(to) === 'reports',
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: no reading of a file imports what only ranks proposals', () => {
  const isPropose = (path: string) => path.startsWith('src/intake/layouts/propose/');
  const wrong = broken(
    'boundary 4: src/intake/layouts/propose is for what a person is shown before a layout is agreed',
    ({ to, typeOnly }, folder, { path }) =>
      folder === 'intake' && isPropose(to) && !typeOnly && !isPropose(path),
  );
  expect(wrong).toEqual([]);
});

test('boundary 4: nothing imports cli', () => {
  const wrong = broken(
    'boundary 4: src/cli contains the commands; no other folder imports it',
    ({ to, inProject }, folder) => inProject && folderOf(to) === 'cli' && folder !== 'cli',
  );
  expect(wrong).toEqual([]);
});

/** The first import cycle found from each file, as `a → b → a`. Type imports do not count: the compiler removes them. */
const findCycles = (): string[] => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) {
      cycles.push([...trail.slice(at), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const { to, inProject, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (inProject && !typeOnly) visit(to, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
};

const consoleUses = [
  'console',
  'api-contract',
  'ledger',
  'contract',
  'placing',
  'intake',
  'reports',
  'sync',
  'template',
];
const consoleUsesFiles = ['errors.ts', 'logger.ts', 'place-file.ts', 'file-access.ts', 'repeat.ts'];

test('boundary 6: the console gets queue, worker and accounts as functions, and only cli imports it', () => {
  const from = broken(
    `boundary 6: src/console may import src/${consoleUses.slice(1).join(', src/')} and types of src/config; pass the rest in ConsoleDeps`,
    ({ to, inProject, typeOnly }, folder) =>
      folder === 'console' &&
      inProject &&
      ![...consoleUses, ...consoleUsesFiles].includes(folderOf(to)) &&
      !(folderOf(to) === 'config' && typeOnly),
  );
  const into = broken(
    'boundary 6: only src/cli composes the console',
    ({ to, inProject }, folder) =>
      inProject && folderOf(to) === 'console' && !['console', 'cli'].includes(folder),
  );
  expect([...from, ...into]).toEqual([]);
});

test('boundary 7: health gets everything as functions, and only cli imports it', () => {
  const from = broken(
    'boundary 7: src/health may import its own files, errors, and types; pass the rest to createHealth',
    ({ to, inProject, typeOnly }, folder) =>
      folder === 'health' && inProject && !typeOnly && !['health', 'errors.ts'].includes(folderOf(to)),
  );
  const into = broken(
    'boundary 7: only src/cli composes the health of a process',
    ({ to, inProject }, folder) =>
      inProject && folderOf(to) === 'health' && !['health', 'cli'].includes(folder),
  );
  expect([...from, ...into]).toEqual([]);
});

test('boundary 6: the web app takes types of the schemas and their words, and nothing else of the project', () => {
  const web = 'src/console/web/';
  const words = /^src\/api-contract\/\w+-words\.ts$/;
  const wrong = broken(
    'boundary 6: src/console/web may import its own files, words and `import type` from src/api-contract',
    ({ to, inProject, typeOnly }, _folder, { path }) =>
      inProject &&
      path.startsWith(web) &&
      !to.startsWith(web) &&
      !words.test(to) &&
      !(typeOnly && to.startsWith('src/api-contract/')),
  );
  const schemas = broken(
    'boundary 6: words are loaded by browsers, so they import words and types only',
    ({ to, typeOnly }, _folder, { path }) => words.test(path) && !typeOnly && !words.test(to),
  );
  const into = broken(
    'boundary 6: the web app runs in a browser; nothing else imports it',
    ({ to, inProject }, _folder, { path }) => inProject && to.startsWith(web) && !path.startsWith(web),
  );
  expect([...wrong, ...schemas, ...into]).toEqual([]);
});

test('boundary 4: no import cycles', () => {
  expect(findCycles()).toEqual([]);
});

test('boundary 5: no barrels, and no meaningless file names', () => {
  const barrels = files
    .filter(({ path, reExports, hasOwnCode }) => (reExports && !hasOwnCode) || path.endsWith('/index.ts'))
    .map(({ path }) => `${path} only re-exports; import from the original files`);
  const named = files
    .filter(({ path }) => /(^|[/-])(utils?|helpers?|common|misc)([/.-]|$)/.test(path))
    .map(({ path }) => `${path} is a meaningless name; name the file for what it does`);
  expect([...barrels, ...named]).toEqual([]);
});

test('every import of a project file resolves', () => {
  const known = new Set(readSources('src', 'jobs').map(({ path }) => path));
  const wrong = broken(
    'there is no such file',
    ({ to, inProject }) => inProject && /\.tsx?$/.test(to) && !known.has(to),
  );
  expect(wrong).toEqual([]);
});

test('files have at most 60 lines (jobs) or 250 lines (everything else)', () => {
  const wrong = files.flatMap(({ path, lines }) => {
    const most = folderOf(path) === 'jobs' ? 60 : 250;
    return lines > most ? [`${path} has ${lines} lines; at most ${most}`] : [];
  });
  expect(wrong).toEqual([]);
});

test('test files have at most 400 lines', () => {
  const wrong = readSources('test')
    // Generated from the service's OpenAPI document.
    .filter(({ path, lines }) => lines > 400 && path !== 'test/service/typed-client/paths.ts')
    .map(({ path, lines }) => `${path} has ${lines} lines; split it by topic (at most 400)`);
  expect(wrong).toEqual([]);
});

test('boundary 7: the row of a PO is written in src/ledger/po/write.ts and nowhere else', () => {
  const writes = /\b(?:update|insert\s+into|delete\s+from|merge\s+into)\s+(?:only\s+)?purchase_orders\b/i;
  const writers = files.filter(({ path }) => writes.test(readFileSync(path, 'utf8'))).map(({ path }) => path);
  expect(writers).toEqual(['src/ledger/po/write.ts']);
});
