import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { makeTemplate } from '../../src/template/make-template.ts';
import { importFile, ordersOf, refusalOf } from '../intake/support/import-file.ts';
import { haveLibreOffice } from '../reports/support/libre-office.ts';
import { fillIn } from './support/fill-in.ts';
import { accountWith } from './support/template-account.ts';

const office = haveLibreOffice();
const endings = ['xlsx', 'ods', 'csv'] as const;
const intake = { constants: { pay_type: 'OO' }, blankMeansNo: ['allow_backorder' as const] };
const account = accountWith(intake, { guards: { abovePercent: 5 } });
const template = join(tmpdir(), `cartwright-template-${process.pid}.xlsx`);
const folders: string[] = [template];
afterAll(async () => {
  for (const path of folders) await rm(path, { recursive: true, force: true });
});

const typeInto = async (values: Record<string, string>[]) => {
  const made = await makeTemplate(account, 'xlsx');
  if (made.kind !== 'made') throw new Error(made.why);
  await writeFile(template, made.bytes);
  const cells = values.flatMap((row, at) =>
    Object.entries(row).map(([field, text]): [string, string] => {
      const column = made.headers.indexOf(field);
      if (column < 0) throw new Error(`the template has no column ${field}`);
      return [`${xlsx.utils.encode_col(column)}${at + 2}`, text];
    }),
  );
  const filled = await fillIn(template, 'Orders', cells);
  folders.push(filled.folder);
  return { ...made, ...filled };
};

test.runIf(office)(
  'what a person types in LibreOffice is ordered exactly, saved in any format',
  async () => {
    const { pathOf, version } = await typeInto([
      {
        po_number: '004711',
        item_sku: '00520',
        quantity: '3',
        note: '=1+2',
        expected_price: '12.5',
        ship_name: 'Müller & Söhne',
        ship_address1: '3-4 Mill Road',
        ship_city: 'Boston',
        ship_state: 'MA',
        ship_zip: '02101',
        ship_phone: '0617555',
        default_warehouse: 'GA',
        ship_via: 'BEST',
        allow_backorder: 'yes',
      },
      { po_number: '004711', item_sku: '1E5', quantity: '12' },
      { po_number: '3-4', item_sku: 'MAR-1', quantity: '1' },
    ]);
    for (const ending of endings) {
      const imported = await importFile(pathOf(ending), intake);
      expect(imported.issues, ending).toEqual([]);
      expect(ordersOf(imported), ending).toEqual([
        {
          poNumber: '004711',
          options: {
            ship_name: 'Müller & Söhne',
            ship_address1: '3-4 Mill Road',
            ship_city: 'Boston',
            ship_state: 'MA',
            ship_zip: '02101',
            ship_phone: '0617555',
            default_warehouse: 'GA',
            ship_via: 'BEST',
            allow_backorder: true,
          },
          lines: [
            { sku: '00520', id: undefined, quantity: 3, note: '=1+2' },
            { sku: '1E5', id: undefined, quantity: 12, note: undefined },
          ],
        },
        {
          poNumber: '3-4',
          options: {},
          lines: [{ sku: 'MAR-1', id: undefined, quantity: 1, note: undefined }],
        },
      ]);
      expect(imported.rows[0], ending).toMatchObject({ expectedPrice: '12.5' });
      expect(imported.outcome).toMatchObject({
        kind: 'read',
        optionDefaults: { pay_type: 'OO' },
        idlePriceGuard: undefined,
      });
    }
    const book = xlsx.read(await readFile(pathOf('xlsx')), { bookFiles: true });
    const { files } = book as unknown as { files: Record<string, { content: Buffer }> };
    const sheet = String(files['xl/worksheets/sheet1.xml']!.content);
    // LibreOffice writes the drop-downs, the limits and the header notes back, so it understood them.
    for (const kind of ['list', 'whole', 'decimal', 'textLength']) expect(sheet).toContain(`type="${kind}"`);
    expect(sheet).toContain('promptTitle="po_number"');
    expect(book.Custprops).toEqual({ 'Cartwright template version': version });
  },
  120_000,
);

test.runIf(office)(
  'a template that is opened and saved without filling it in orders nothing',
  async () => {
    const { pathOf } = await typeInto([]);
    for (const ending of endings) {
      const imported = await importFile(pathOf(ending), intake);
      expect(imported.rows, ending).toEqual([]);
      expect(refusalOf(imported), ending).toMatchObject({ code: 'no_rows' });
    }
  },
  120_000,
);
