import { expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { useConsole } from './use-console.ts';

const use = useConsole();

test('a viewer downloads the template of an account as a workbook, or as CSV', async () => {
  const headers = await use.signedIn('viewer');
  const get = (query = '') => use.app.inject({ url: `/api/v1/accounts/default/template${query}`, headers });
  const workbook = await get();
  expect(workbook.statusCode).toBe(200);
  expect(workbook.headers['content-disposition']).toContain('filename="default-template.xlsx"');
  expect(xlsx.read(workbook.rawPayload).SheetNames).toEqual(['Orders', 'How to fill in']);
  const csv = await get('?format=csv');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.payload).toMatch(/^\ufeffpo_number,item_sku,quantity,/);
  expect((await get('?format=pdf')).statusCode).toBe(422);
});

test('nobody gets the template of an account that they may not see or that does not exist', async () => {
  const headers = await use.signedIn('viewer', ['other']);
  for (const name of ['default', 'nowhere']) {
    const answer = await use.app.inject({ url: `/api/v1/accounts/${name}/template`, headers });
    expect(answer.statusCode).toBe(404);
  }
  expect((await use.app.inject({ url: '/api/v1/accounts/default/template' })).statusCode).toBe(401);
});
