import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Pages whose commands other tests run: test/service/docs.test.ts against a service, and
 * test/console/api-page.test.ts against a console.
 */
const ownTests = ['docs/service.md', 'docs/api.md'];

/** The pages whose commands a reader types, as paths in the project. */
export const listPages = async (): Promise<string[]> => {
  const docs = (await readdir(`${project}/docs`)).filter((name) => name.endsWith('.md')).sort();
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)].filter(
    (page) => !ownTests.includes(page),
  );
};

export const readPage = (page: string): Promise<string> => readFile(`${project}/${page}`, 'utf8');

export type Step = { kind: 'command'; command: string } | { kind: 'file'; content: string };

/** The commands of a page's fenced shell blocks and its YAML files, in page order. */
export const readSteps = (text: string): Step[] =>
  [...text.matchAll(/^```(sh|yaml)\n([\s\S]*?)^```$/gm)].flatMap(([, language, block]): Step[] =>
    language === 'yaml'
      ? [{ kind: 'file', content: block! }]
      : block!
          .split('\n')
          .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
          .filter((line) => line !== '')
          .map((command) => ({ kind: 'command', command })),
  );

interface Changed {
  run: string;
  because: string;
}

const noInstall =
  '`npm ci` is the first step of .ci/run and needs the network; what it leaves behind is the packages and a build.';

/** Commands that the test runs in another form. */
export const changed: Readonly<Record<string, Changed>> = {
  'cartwright init': {
    run: 'cartwright init --name north',
    because: 'Without a terminal it asks nothing; test/cli/init.test.ts answers its questions.',
  },
  'npm ci && npm run demo': { run: 'npm run demo', because: noInstall },
  'npm ci && npm install --global --ignore-scripts .': {
    run: 'npm run build && npm install --global --ignore-scripts .',
    because: noInstall,
  },
};

const takesMinutes = 'It takes minutes, and .ci/run runs it.';
const chaos = 'It takes minutes; test/chaos/small.test.ts runs a small one.';
const soak = 'It takes minutes; test/soak/short.test.ts runs a short one.';
const partOfCheck = 'It is a part of `npm run check`, which .ci/run runs.';
const needsDocker = 'It needs a Docker engine.';
const controls = 'test/cli/service-control.test.ts runs these commands.';
const thisTest = 'It would run this test.';

/** Commands that the test does not run, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'npm ci': noInstall,
  'npm ci && npm test': thisTest,
  'npm test': thisTest,
  'npm run check': thisTest,
  'npm run proof': thisTest,
  'npm run proof:whole': thisTest,
  'npm run lint': partOfCheck,
  'npm run types': partOfCheck,
  'npm run dead-code': partOfCheck,
  'npm run test:browser': takesMinutes,
  'npm run mutants': takesMinutes,
  'npm run check:nodes': 'It downloads two versions of Node and takes minutes.',
  'npm run check:image': 'It needs root, downloads Debian and takes minutes.',
  'npm install --save-dev ../cartwright':
    'test/mock/mock-page.test.ts runs the example of the page in a project of its own.',
  'docker build --target mock --tag cartwright-mock .': needsDocker,
  'docker run --rm --publish 8480:8480 cartwright-mock': needsDocker,
  'docker run --rm --publish 8480:8480 cartwright-mock --envelope data --read-lag-ms 200': needsDocker,
  "curl -sS -X POST http://127.0.0.1:8480/admin/reset -H 'authorization: Bearer mock'": needsDocker,
  'npx --package=. cartwright service --admin --seed \'[{"po_number":"PO-1002"}]\'':
    'npx first builds the checkout; `cartwright up --sandbox` of README.md runs the same service.',
  'cartwright service seed samples/seeds.yaml': controls,
  'cartwright service clock --freeze --set 2026-01-31T08:00:00Z': controls,
  'cartwright service journal': controls,
  'cartwright service reset': controls,
  'npx -p @apideck/portman -p tslib portman --url http://127.0.0.1:8480/openapi.json --baseUrl http://127.0.0.1:8480 --runNewman':
    'It downloads another tool; test/service/openapi.test.ts sends the same examples.',
  'npm run chaos': chaos,
  'npm run chaos -- --queue postgres': chaos,
  'npm run chaos -- --small --seed 42': chaos,
  'npm run soak -- --minutes 20': soak,
};

/** Commands that run until Ctrl-C. */
export const untilStopped: ReadonlySet<string> = new Set(['cartwright up', 'cartwright up --sandbox']);
