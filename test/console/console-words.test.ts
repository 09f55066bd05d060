import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { inConsole } from '../../src/console/console-words.ts';
import { inEditor } from '../../src/console/uploads/advice.ts';
import { endReasons, holdReasons } from '../../src/placing/hold-reasons.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const source = join(import.meta.dirname, '../../src');
/** Folders with sentences that a page can show. */
const folders = [
  'intake',
  'placing',
  'tracking',
  'ledger',
  'worker',
  'console',
  'template',
  'reports',
  'sources',
];
/** Not shown on pages: descriptions for the documentation of settings and API, terminal output, and names in SQL. */
const elsewhere =
  /options\.ts$|migrations|console\/api\/schemas|openapi\.ts|listen-console|inbox\/folder-identity/;

const command = /\bcartwright [a-z]/;
const setting = /(?<![\w./:@-])(?:intake|guards|worker|console|retention|notifications|accounts\.\w+)\.[a-z]/;

/** Every text of a source file, with X for inserted values. */
const textsOf = (path: string): string[] => {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(value);
    },
    JSXText: ({ value }) => {
      texts.push(value);
    },
    TemplateLiteral: ({ quasis }) => {
      texts.push(quasis.map((one) => one.value.cooked ?? '').join('X'));
    },
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program);
  return texts;
};

const written = folders
  .flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((path) => /\.tsx?$/.test(path) && !elsewhere.test(path))
  .flatMap((path) => textsOf(join(source, path)).map((text) => ({ path, text })))
  .filter(({ text }) => / /.test(text) && (/`cartwright /.test(text) || setting.test(text)));

describe('every sentence with a command or the name of a setting has words for the console', () => {
  test('there are such sentences', () => {
    expect(written.length).toBeGreaterThan(50);
  });

  test.each(written)('$path: $text', ({ text }) => {
    for (const said of [inConsole(text), inEditor(text)]) {
      expect(said).not.toMatch(command);
      expect(said).not.toMatch(setting);
      expect(said).not.toMatch(/undefined|“”/);
      if (!text.includes('  ')) expect(said).not.toContain('  ');
      expect(said.length).toBeGreaterThan(5);
    }
  });
});

test('the web app itself names no command and no setting', () => {
  const own = readdirSync(join(source, 'console/web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => textsOf(join(source, 'console/web', name)));
  expect(own.length).toBeGreaterThan(1000);
  expect(own.filter((text) => command.test(text) || setting.test(text))).toEqual([]);
});

test.each(Object.entries({ ...holdReasons, ...endReasons }))('the reason %s', (_, { meaning, advice }) => {
  for (const text of [meaning, advice]) {
    expect(inConsole(text)).not.toMatch(command);
    expect(inConsole(text)).not.toMatch(setting);
  }
});

test.each([
  [
    "The columns are not known. Run `cartwright map 'week 47.csv' --write` to map its columns.",
    'The columns are not known. Open the file with “Read again” to map its columns.',
  ],
  [
    'Both could be the delimiter. Set intake.delimiter of the account to the right one.',
    'Both could be the delimiter. Set “Sign between the columns” under “Read again” to the right one.',
  ],
  [
    'Enter the code of the state, or set intake.stateNames: convert.',
    'Enter the code of the state, or set “States are written out” under “Read again” to convert.',
  ],
  [
    'If " is an ordinary character, set intake.quotes: false.',
    'If " is an ordinary character, have an admin change the account’s rule for quotes in values to false.',
  ],
  [
    'The account north is paused: nothing new begins until a person resumes it in the console or with `cartwright accounts resume north`.',
    'The account north is paused: nothing new begins until a person resumes it with “Resume” on the page of its account.',
  ],
  [
    'No worker that places POs of north is running. Start one with `cartwright up`.',
    'No worker that places POs of north is running. Ask the administrator of Cartwright to start a worker.',
  ],
  [
    'The folder is used elsewhere. To use /x here from now on, run `cartwright use-folder --account n` on this machine.',
    'The folder is used elsewhere. Ask the administrator of Cartwright to settle this.',
  ],
  [
    'the file is in the inbox, and no running worker picks up files of north. Start `cartwright up` or `cartwright watch`',
    'the file is in the inbox, and no running worker picks up files of north. Ask the administrator of Cartwright to start a worker',
  ],
  [
    'Row 1 looks odd. Run `cartwright map --import 12 --write` to map its columns.',
    'Row 1 looks odd. Open the file with “Read again” to map its columns.',
  ],
  [
    'See https://intake.example.com/a or intake.example@x.org.',
    'See https://intake.example.com/a or intake.example@x.org.',
  ],
])('%s', (text, said) => {
  expect(inConsole(text)).toBe(said);
});

describe('what the pages ask the API for', () => {
  const console = useConsole();
  const reason =
    'Both could be it. Set intake.delimiter of the account, or run `cartwright map a.csv --write` to choose.';

  test('has no commands and no names of settings in a browser, and what a file says as it is', async () => {
    const { pool } = console.deps;
    const id = await insertImport(pool, {
      sha256: 'words',
      file_name: 'intake.csv',
      state: 'refused',
      reason_code: 'delimiter_ambiguous',
      reason_text: reason,
    });
    const held = await insertImport(pool, { sha256: 'held' });
    const po = await insertPurchaseOrder(pool, held, 'W-1', {
      state: 'held',
      reason_code: 'question',
      reason_text: reason,
    });
    await insertRow(pool, 'row_issues', {
      import_id: held,
      row_number: 2,
      po_number: 'W-1',
      severity: 'note',
      column_name: 'intake.columns',
      code: 'x',
      message: reason,
      found: 'set intake.delimiter',
    });
    const signedIn = await console.signedIn('admin');
    const paths = [
      `/imports/${id}`,
      '/imports',
      '/today',
      `/purchase-orders/${po}`,
      `/imports/${held}/issues`,
      '/accounts',
      '/purchase-orders',
    ];
    for (const path of paths) {
      const { body } = await console.app.inject({ url: `/api/v1${path}`, headers: signedIn });
      expect(body, path).not.toMatch(/`cartwright /);
      expect(
        body.replaceAll('"intake.columns"', '').replaceAll('"set intake.delimiter"', ''),
        path,
      ).not.toMatch(/intake\.delimiter|intake\.columns/);
    }
    const issues = await console.app.inject({
      url: `/api/v1/imports/${held}/issues/rows`,
      headers: signedIn,
    });
    expect(issues.json().items[0]).toMatchObject({
      column: 'intake.columns',
      found: 'set intake.delimiter',
      message: expect.stringContaining('“Sign between the columns”'),
    });
  });

  test('is for programs what the command line says', async () => {
    const token = await console.withToken('viewer');
    const { body } = await console.app.inject({ url: '/api/v1/imports', headers: token });
    expect(body).toContain('intake.delimiter');
  });
});
