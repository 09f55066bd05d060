import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detectFormat } from '../../src/intake/formats/detect-format.ts';
import { detectMarkupEncoding } from '../../src/intake/formats/spreadsheet/markup-encoding.ts';

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cartwright-markup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const save = async (content: string | Uint8Array) => {
  files += 1;
  const file = path.join(folder, String(files));
  await writeFile(file, content);
  return file;
};
const book = 'Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"';

describe('a web page or an XML spreadsheet is recognised by its content', () => {
  test.each<[string, string | Uint8Array]>([
    ['html', '<!DOCTYPE html><table>'],
    ['html', '\ufeff\n <html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>'],
    ['html', '<meta http-equiv=Content-Type content="text/html"><table>'],
    ['html', '<table border=1>'],
    ['html', '<!-- export --><style>td{}</style><table>'],
    ['html', '<br />\n<b>Warning</b>: x<table>'],
    ['html', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>'],
    ['html', Buffer.from('\ufeff<html>', 'utf16le')],
    ['xml', `<?xml version="1.0"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n<${book}>`],
    ['xml', `<${book} xmlns:html="http://www.w3.org/TR/REC-html40">`],
    ['xml', `<ss:${book.replace('xmlns', 'xmlns:ss')}>`],
    ['xml', Buffer.from(`\ufeff<?xml version="1.0"?><${book}>`, 'utf16le')],
    ['xml', Buffer.from(`<?xml version="1.0"?><${book}>`, 'utf16le').swap16()],
  ])('%s: %j', async (kind, content) => {
    const file = await save(content);
    for (const name of ['a.xls', 'a.xlsx', 'a.csv', 'a.html', 'a.xml']) {
      expect(await detectFormat(file, name)).toBe(kind);
    }
  });

  test.each<[RegExp, string]>([
    [/an XML document/, '<?xml version="1.0"?><orders/>'],
    [/an XML document/, '<?xml version="1.0"?><w:wordDocument xmlns:w="x">'],
    [/a web archive \(MHTML\)/, 'MIME-Version: 1.0\r\nContent-Type: multipart/related'],
  ])('%s is named', async (what, content) => {
    const refusal = { code: 'not_a_purchase_file', message: expect.stringMatching(what) };
    await expect(detectFormat(await save(content), 'a.xls')).rejects.toMatchObject(refusal);
  });

  test('text that begins with a bracket is text', async () => {
    for (const content of ['<PO>,<SKU>,<Qty>\n', '<po_number>;sku\n', 'a <table>,b\n']) {
      expect(await detectFormat(await save(content), 'a.csv')).toBe('text');
    }
  });
});

describe('the encoding', () => {
  const named = (charset: string) => `<meta charset="${charset}">`;
  const inLatin1 = (text: string) => Buffer.from(text, 'latin1');
  const detect = async (kind: 'html' | 'xml', content: string | Uint8Array, encoding?: string) => {
    const options = { encoding };
    return (await detectMarkupEncoding(await save(content), kind, options, undefined)).encoding;
  };

  test.each<[string, string | Uint8Array, string | undefined, string]>([
    ['valid UTF-8', 'José', undefined, 'utf-8'],
    ['valid UTF-8, whatever the page says', `${named('iso-8859-1')}José`, undefined, 'utf-8'],
    ['valid UTF-8, whatever the account says', `${named('utf-8')}José`, 'macintosh', 'utf-8'],
    ['a byte order mark', '\ufeffJosé', undefined, 'utf-8-bom'],
    ['UTF-16', Buffer.from('\ufeff<table>José', 'utf16le'), undefined, 'utf-16le'],
    [
      'the name that the page gives',
      inLatin1(`${named('windows-1250')}Jos\u00e9`),
      undefined,
      'windows-1250',
    ],
    ['that name as browsers read it', inLatin1(`${named('ISO-8859-1')}Jos\u00e9`), undefined, 'windows-1252'],
    [
      'an older meta tag',
      inLatin1('<meta content="text/html; charset=big5">\u00a4\u00a4'),
      undefined,
      'big5',
    ],
    ['an encoding of ASCII bytes', named('iso-2022-jp'), undefined, 'iso-2022-jp'],
    ['the setting before the page', inLatin1(`${named('windows-1250')}Jos\u00e9`), 'macintosh', 'macintosh'],
    [
      'a guess where the page is wrong',
      inLatin1(`${named('utf-8')}Jos\u00e9 Mu\u00f1oz`),
      undefined,
      'windows-1252',
    ],
  ])('of a page: %s', async (_, content, setting, encoding) => {
    expect(await detect('html', content, setting)).toBe(encoding);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['UTF-8 without a declaration', '<Workbook>', 'utf-8'],
    ['its declaration', '<?xml version="1.0" encoding="windows-1250"?>', 'windows-1250'],
    ['UTF-16', Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?>', 'utf16le'), 'utf-16le'],
    ['UTF-16 without a mark', Buffer.from('<?xml version="1.0"?>', 'utf16le').swap16(), 'utf-16be'],
  ])('of XML, whatever the account says: %s', async (_, content, encoding) => {
    expect(await detect('xml', content, 'macintosh')).toBe(encoding);
  });

  test('an unknown one is refused: by the file, or as a setting', async () => {
    await expect(detect('xml', '<?xml version="1.0" encoding="x-none"?>')).rejects.toThrow(/x-none/);
    await expect(detect('html', inLatin1('Jos\u00e9'), 'x-none')).rejects.toThrow(/intake\.encoding/);
  });
});
