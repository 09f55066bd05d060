import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { startService } from '../support/run-system.ts';
import { runCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const shop = useCliFolder();
let service: ListeningService;
beforeAll(async () => {
  service = await startService(shop.databaseUrl);
});
afterAll(async () => {
  await service.stop();
});
const cli = (...args: string[]) =>
  runCli(args, {
    cwd: shop.folder,
    env: { DATABASE_URL: shop.databaseUrl, CARTWRIGHT_BASE_URL: service.url },
  });
const night = (name: string, ...lines: string[]) =>
  shop.write(name, `po_number,item_sku,quantity,Status\n${lines.map((line) => `${line}\n`).join('')}`);

test('a value that is new makes its PO wait, and `answer` lists and answers the question', async () => {
  // The first file of a header waits for a person to check its other columns.
  const first = await cli('import', '--wait', await night('1.csv', 'A-1,SKU-1,2,Open'));
  expect(first.exitCode).toBe(1);
  expect(first.out).toContain('"Status" says "Open" (1 row)');
  const { waiting } = JSON.parse((await cli('layouts', '--json')).out) as {
    waiting: { importId: string }[];
  };
  const unasked = await cli('map', '--import', waiting[0]!.importId, '--write', '--yes');
  expect([unasked.exitCode, unasked.err]).toEqual([
    2,
    expect.stringContaining('"Status" says "Open" (1 row)'),
  ]);
  const layout = {
    ...{ account: 'default', name: 'Nightly', header: ['po_number', 'item_sku', 'quantity', 'Status'] },
    values: { Status: { Open: 'seen' } },
  };
  await shop.write('layouts.yaml', JSON.stringify([layout]));
  expect((await cli('layouts', 'apply', 'layouts.yaml')).exitCode).toBe(0);
  expect((await cli('layouts', 'show', '1')).out).toMatch(/status +open +ordered, as in its first file/);
  expect((await cli('import', '--wait', join(shop.folder, '1.csv'))).exitCode).toBe(0);
  expect((await cli('answer')).out).toContain('There is no open question.');

  const second = await cli(
    'import',
    '--wait',
    await night('2.csv', 'A-2,SKU-1,2,Open', 'A-3,SKU-1,2,Void', 'A-3,SKU-2,1,Open'),
  );
  expect(second.exitCode).toBe(1);
  expect(second.out).toContain('A-3');
  const listed = await cli('answer');
  expect(listed.out).toContain('"Status" says "Void", which no file with this header said before.');
  expect(listed.out).toContain('1 row of 1 PO, the first is A-3');
  const { questions } = JSON.parse((await cli('answer', '--json')).out) as { questions: { id: string }[] };
  const id = questions[0]!.id.slice(0, 8);

  expect((await cli('answer', id)).exitCode).toBe(2);
  const numbered = await cli('answer', id, 'order', '12');
  expect([numbered.exitCode, numbered.err]).toEqual([2, expect.stringContaining('belongs to pieces only')]);
  expect((await cli('answer', 'ffff0000', 'order')).err).toContain('There is no open question ffff0000.');
  const answered = await cli('answer', id, 'leave-out', '--note', 'as the shop says');
  expect(answered.out).toContain('1 row was skipped. 1 PO continues.');
  expect(answered.exitCode).toBe(0);
  expect((await cli('answer')).out).toContain('There is no open question.');
  const third = await cli('import', '--wait', await night('3.csv', 'A-4,SKU-1,2,void', 'A-4,SKU-2,1,Open'));
  expect(third.exitCode).toBe(0);
});

test('a file that nobody knows waits: `import --wait` says so and exits with 1, and so does a dry run', async () => {
  const file = await shop.write('strange.csv', 'Vorgang;Teil;Menge\nB-1;SKU-1;2\n');
  const dry = await cli('import', '--dry-run', file);
  expect(dry.out).toContain('would wait for somebody to say what it means');
  expect(dry.exitCode).toBe(1);
  const imported = await cli('import', '--wait', file);
  expect(imported.out).toContain('waits for somebody to say what it means');
  expect(imported.exitCode).toBe(1);
  const { problems } = JSON.parse((await cli('status', '--check', '--json')).out) as {
    problems: { code: string }[];
  };
  expect(problems.map(({ code }) => code)).toContain('file_waits');
});
