import { expect, test } from 'vitest';
import { type Import, readSources, type SourceFile } from './support/read-imports.ts';

const files = readSources('src', 'jobs');
const byPath = new Map(files.map((file) => [file.path, file]));

/** `src/ledger/pool.ts` stands in the room `ledger`, `src/config.ts` in `config.ts`, `jobs/x.ts` in `jobs`. */
const roomOf = (path: string): string => {
  const [top, second] = path.split('/');
  return top === 'src' ? second! : top!;
};

/** One sentence for each import that a wall does not allow. */
const broken = (
  wall: string,
  isWrong: (imported: Import, room: string, file: SourceFile) => boolean,
): string[] =>
  files.flatMap((file) =>
    file.imports
      .filter((imported) => isWrong(imported, roomOf(file.path), file))
      .map(({ to }) => `${file.path} imports ${to}; ${wall}`),
  );

test('the parser sees the project: files, imports, and who reads the environment', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(byPath.get('src/ledger/pool.ts')?.imports.map(({ to }) => to)).toContain('pg');
  expect(byPath.get('src/config.ts')?.readsEnvironment).toBe(true);
});

test('wall 1: contract imports only zod', () => {
  const wall = 'wall 1: src/contract imports zod and its own files only';
  const wrong = broken(
    wall,
    ({ to, inProject }, room) =>
      room === 'contract' && (inProject ? roomOf(to) !== 'contract' : to !== 'zod'),
  );
  expect(wrong).toEqual([]);
});

const rules = ['intake', 'placing', 'tracking', 'reports'];

test('wall 1: the rooms with the rules reach ledger, client and queue through interfaces only', () => {
  const wall =
    'wall 1: it takes these as arguments; import their types (import type) or declare an interface';
  const handedIn = ['ledger', 'dealer-api', 'queue', 'service', 'embedded'];
  // The configuration's spelling of a duration is a value, and it belongs to no client.
  const allowed = new Set(['src/placing/options.ts src/dealer-api/options.ts']);
  const wrong = broken(
    wall,
    ({ to, inProject, typeOnly }, room, { path }) =>
      rules.includes(room) &&
      inProject &&
      !typeOnly &&
      handedIn.includes(roomOf(to)) &&
      !allowed.has(`${path} ${to}`),
  );
  expect(wrong).toEqual([]);
});

/** Packages, and the rooms that may import them; with types everywhere where `types` says so. */
const owned: { packages: string[]; rooms: string[]; types: string[] | 'anywhere' }[] = [
  { packages: ['got'], rooms: ['dealer-api'], types: [] },
  {
    packages: ['pg', 'kysely'],
    rooms: ['ledger', 'service'],
    // They are handed a pool and pass it on; none of them can query without an import of their own.
    types: ['cli', 'queue', 'embedded'],
  },
  { packages: ['pg-copy-streams'], rooms: ['ledger'], types: [] },
  { packages: ['bullmq', 'ioredis'], rooms: ['queue'], types: ['jobs'] },
  { packages: ['@bull-board/api', '@bull-board/fastify', '@bull-board/ui'], rooms: ['queue'], types: [] },
  { packages: ['commander', 'cli-table3', 'cli-progress'], rooms: ['cli'], types: [] },
];

test('wall 2: got stands in dealer-api, SQL in ledger and service, BullMQ in queue, and nowhere else', () => {
  const wrong = owned.flatMap(({ packages, rooms, types }) =>
    broken(
      `wall 2: ${packages.join(' and ')} may be imported in src/${rooms.join(' and src/')} only`,
      ({ to, inProject, typeOnly }, room) =>
        !inProject &&
        packages.includes(to) &&
        !rooms.includes(room) &&
        !(typeOnly && (types === 'anywhere' || types.includes(room))),
    ),
  );
  expect(wrong).toEqual([]);
});

test('wall 2: the environment is read in src/config.ts only', () => {
  const wrong = files
    .filter(({ path, readsEnvironment }) => readsEnvironment && path !== 'src/config.ts')
    .map(({ path }) => `${path} reads process.env; wall 2: only src/config.ts does`);
  expect(wrong).toEqual([]);
});

test('wall 3: service imports contract and the type of the logger, and no other part imports service', () => {
  const from = broken(
    'wall 3: src/service imports src/contract, its own files, and the type Logger; nothing else of the project',
    ({ to, inProject, typeOnly }, room) =>
      room === 'service' &&
      inProject &&
      !['service', 'contract'].includes(roomOf(to)) &&
      !(to === 'src/logger.ts' && typeOnly),
  );
  // The configuration file has the service's part in it, so its schema is read there.
  const into = broken(
    'wall 3: the worker knows the service by its interface only; src/cli starts it',
    ({ to, inProject }, room, { path }) =>
      inProject &&
      roomOf(to) === 'service' &&
      !['service', 'cli'].includes(room) &&
      !(path === 'src/config-schema.ts' && to === 'src/service/config.ts'),
  );
  expect([...from, ...into]).toEqual([]);
});

test('wall 4: jobs import no jobs, and nothing but src/cli imports them', () => {
  const wrong = broken(
    'wall 4: a job is enqueued by what the ledger says, never called by another one',
    ({ to, inProject }, room) => inProject && roomOf(to) === 'jobs' && room !== 'cli',
  );
  expect(wrong).toEqual([]);
});

test('wall 4: nothing imports cli', () => {
  const wrong = broken(
    'wall 4: src/cli puts the parts together, none of them knows it',
    ({ to, inProject }, room) => inProject && roomOf(to) === 'cli' && room !== 'cli',
  );
  expect(wrong).toEqual([]);
});

/** The first circle found from each file, as `a → b → a`. Imports of types alone make no circle at run time. */
const findCircles = (): string[] => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: string[]): void => {
    const at = way.indexOf(path);
    if (at !== -1) {
      circles.push([...way.slice(at), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const { to, inProject, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (inProject && !typeOnly) visit(to, [...way, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return circles;
};

test('wall 4: no circles', () => {
  expect(findCircles()).toEqual([]);
});

test('wall 5: no barrels, and no file that is named for nothing', () => {
  const barrels = files
    .filter(({ path, reExports, hasOwnCode }) => (reExports && !hasOwnCode) || path.endsWith('/index.ts'))
    .map(({ path }) => `${path} only hands on what other files export; import from these`);
  const named = files
    .filter(({ path }) => /(^|[/-])(utils?|helpers?|common|misc)([/.-]|$)/.test(path))
    .map(({ path }) => `${path} is named for nothing; name it for what it does`);
  expect([...barrels, ...named]).toEqual([]);
});

test('every import within the project leads to a file', () => {
  const known = new Set(readSources('src', 'jobs').map(({ path }) => path));
  const wrong = broken('there is no such file', ({ to, inProject }) => inProject && !known.has(to));
  expect(wrong).toEqual([]);
});

/** Files past 250 lines, each with the reason why it is read better in one piece. */
const longFiles: Record<string, string> = {
  'src/intake/claim.ts': 'every step of a claim beside the step that takes it up after a crash',
  'src/intake/spreadsheet/scan-sheet.ts': 'one pass over a sheet with one state',
  'src/placing/decide.ts':
    'the one decision about a PO; it is to be read in one sitting (docs/decisions/004)',
};

test('files stay short: 60 lines for a job, 250 for the rest unless a reason stands here', () => {
  const wrong = files.flatMap(({ path, lines }) => {
    const most = roomOf(path) === 'jobs' ? 60 : 250;
    return lines > most && !(path in longFiles) ? [`${path} has ${lines} lines; at most ${most}`] : [];
  });
  const needless = Object.keys(longFiles).filter((path) => (byPath.get(path)?.lines ?? 0) <= 250);
  expect(wrong).toEqual([]);
  expect(needless, 'these are short enough without a reason').toEqual([]);
});
