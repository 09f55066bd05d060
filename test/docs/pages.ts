import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

/** test/service/docs.test.ts runs the commands of this page against a service of its own. */
const ownTest = 'docs/service.md';

/** The pages whose commands a reader types, as paths in the project. */
export const listPages = async (): Promise<string[]> => {
  const docs = (await readdir(`${project}/docs`)).filter((name) => name.endsWith('.md')).sort();
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)].filter(
    (page) => page !== ownTest,
  );
};

export const readPage = (page: string): Promise<string> => readFile(`${project}/${page}`, 'utf8');

export type Step = { kind: 'command'; command: string } | { kind: 'file'; content: string };

/** The commands of a page's fenced shell blocks and its YAML files, in the order in which a reader meets them. */
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
  'npm ci && npm run demo': { run: 'npm run demo', because: noInstall },
  'npm ci && npm install --global --ignore-scripts .': {
    run: 'npm run build && npm install --global --ignore-scripts .',
    because: noInstall,
  },
};

const takesMinutes = 'It takes minutes, and .ci/run runs it.';
const chaos = 'It takes minutes; test/chaos/small.test.ts runs a small one.';
const partOfCheck = 'It is a part of `npm run check`, which .ci/run runs.';
const thisTest = 'It would run this test.';

/** Commands that the test does not run, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'npm ci': noInstall,
  'npm ci && npm test': thisTest,
  'npm test': thisTest,
  'npm run check': thisTest,
  'npm run proof': thisTest,
  'npm run lint': partOfCheck,
  'npm run types': partOfCheck,
  'npm run dead-code': partOfCheck,
  'npm run mutants': takesMinutes,
  'npm run check:nodes': 'It downloads two versions of Node and takes minutes.',
  'npm run chaos': chaos,
  'npm run chaos -- --queue postgres': chaos,
  'npm run chaos -- --small --seed 42': chaos,
};

/** Commands that run until Ctrl-C. */
export const untilStopped: ReadonlySet<string> = new Set(['cartwright up', 'cartwright service']);
