import { describe, expect, test } from 'vitest';
import { encodeText } from './support/encode-text.ts';
import { importBytes, refusalOf } from './support/import-file.ts';

const header = 'po_number,item_sku,quantity,ship_name,ship_city\n';

const utf32 = (text: string, big: boolean) =>
  Buffer.concat(
    [...text].map((character) => {
      const bytes = Buffer.alloc(4);
      if (big) bytes.writeUInt32BE(character.codePointAt(0)!);
      else bytes.writeUInt32LE(character.codePointAt(0)!);
      return bytes;
    }),
  );

const names: Record<string, [string, string]> = {
  western: ['François Lefèvre-Señor', 'Saint-Étienne 5'],
  german: ['Jürgen Müller', 'Köln'],
  polish: ['Michał Wójcik', 'Łódź'],
  russian: ['Иванов Пётр', 'Москва'],
  japanese: ['カタカナ商事の山田', '東京都新宿区おおた'],
  simplified: ['北京市海淀区中关村电脑公司', '上海市浦东新区张江'],
  traditional: ['臺北資訊有限公司王小明', '高雄市前鎮區中山路'],
  greek: ['Άννα Παπαδοπούλου', 'Αθήνα'],
  turkish: ['Ayşe Yılmaz', 'Eskişehir'],
  lithuanian: ['Rūta Žukauskaitė', 'Šiauliai'],
  romanian: ['Ştefan Ţiriac', 'Bucureşti Ioniţă'],
  hebrew: ['יוסי כהן', 'תל אביב'],
  korean: ['서울전자상사 김철수', '부산광역시 해운대구'],
};

describe('a file that is not UTF-8', () => {
  test.each([
    ['western', 'windows-1252'],
    ['western', 'macintosh'],
    ['german', 'windows-1252'],
    ['german', 'macintosh'],
    ['german', 'cp437'],
    ['russian', 'windows-1251'],
    ['russian', 'koi8-r'],
    ['russian', 'ibm866'],
    ['japanese', 'shift_jis'],
    ['japanese', 'euc-jp'],
    ['simplified', 'gbk'],
    ['traditional', 'big5'],
    ['korean', 'euc-kr'],
    ['greek', 'windows-1253'],
    ['greek', 'iso-8859-7'],
    ['turkish', 'windows-1254'],
    ['lithuanian', 'windows-1257'],
    ['romanian', 'windows-1250'],
  ])('has its names as they were written: %s in %s', async (kind, encoding) => {
    const [name, city] = names[kind]!;
    const bytes = encodeText(`${header}A,S1,1,Smith,Boise\nB,S1,1,${name},${city}\n`, encoding);
    const { outcome, rows, issues } = await importBytes('a.csv', bytes);
    expect(outcome).toMatchObject({ kind: 'read', detection: { encoding } });
    expect(issues).toEqual([]);
    expect(JSON.parse(rows[1]!.options)).toEqual({ ship_name: name, ship_city: city });
  });

  test.each([
    ['utf-32le', true],
    ['utf-32le', false],
    ['utf-32be', true],
    ['utf-32be', false],
  ])('may be %s, with a byte order mark: %s', async (encoding, marked) => {
    const text = `${marked ? '\ufeff' : ''}${header}A,S1,1,José 😀,Boise\n`;
    const { outcome, rows } = await importBytes('a.csv', utf32(text, encoding === 'utf-32be'));
    expect(outcome).toMatchObject({ kind: 'read', detection: { encoding } });
    expect(rows).toMatchObject([{ poNumber: 'A', options: expect.stringContaining('José 😀') }]);
  });

  test('is refused when its last UTF-32 character is cut off', async () => {
    const bytes = utf32(`\ufeff${header}A,S1,1,José,Boise\n`, false);
    expect(refusalOf(await importBytes('a.csv', bytes.subarray(0, -2))).code).toBe('encoding_wrong');
  });

  test.each([
    ['cp437', 'François', 'Besançon'],
    ['windows-1250', 'Michał Wójcik', 'Łódź'],
  ])(
    'gets a note for each column that looks wrong, where %s could be several encodings',
    async (encoding, name, city) => {
      const bytes = encodeText(`${header}A,S1,1,${name},${city}\nA,S2,1,${name},${city}\n`, encoding);
      const { outcome, issues } = await importBytes('a.csv', bytes);
      expect(outcome).toMatchObject({ detection: { encoding: 'windows-1252' } });
      expect(issues.map((issue) => [issue.rowNumber, issue.severity, issue.code, issue.column])).toEqual([
        [2, 'note', 'odd_characters', 'ship_name'],
        [2, 'note', 'odd_characters', 'ship_city'],
      ]);
      expect(issues[0]!.message).toMatch(/intake\.encoding/);
      const { rows } = await importBytes('a.csv', bytes, { encoding });
      expect(JSON.parse(rows[0]!.options)).toEqual({ ship_name: name, ship_city: city });
    },
  );

  test.each([
    ['Turkish', 'windows-1254', 'Işık Öz'],
    ['Lithuanian', 'windows-1257', 'Jonas Žukas'],
    ['Romanian', 'windows-1250', 'Bucureşti'],
    ['Hebrew', 'windows-1255', 'יוסי'],
    ['Arabic', 'windows-1256', 'أحمد'],
    ['Greek', 'windows-1253', 'Ψηφίο'],
  ])(
    'is read right or gets a note that names the encoding: one word of %s in %s',
    async (_, encoding, name) => {
      const bytes = encodeText(`${header}A,S1,1,${name},Boise\n`, encoding);
      const { outcome, rows, issues } = await importBytes('a.csv', bytes);
      expect(outcome.kind).toBe('read');
      const right = (JSON.parse(rows[0]!.options) as { ship_name: string }).ship_name === name;
      const note = issues.find(({ column }) => column === 'ship_name')?.message ?? '';
      expect(right || note.includes(encoding)).toBe(true);
    },
  );

  test.each([
    'Þórður Guðmundsson,Ísafjörður',
    'Sigurður Ýmir,Hafnarfjörður á',
    'Bjørn Ångström,Malmö',
    'Mª José Núñez,Nº 7 1ª planta',
    'Citroën-Lefèvre,Gößweinstein',
    'João Conceição,São Luís',
    'Zoë Coöperatie,Besançon',
  ])('has no note where its words are those of a western language: %s', async (line) => {
    const bytes = encodeText(`${header}A,S1,1,${line}\n`, 'windows-1252');
    const { outcome, issues } = await importBytes('a.csv', bytes);
    expect(outcome).toMatchObject({ detection: { encoding: 'windows-1252' } });
    expect(issues).toEqual([]);
  });

  test('keeps the signs of western text', async () => {
    const bytes = encodeText(`${header}A,S1,1,O’Neil “Pub” – 5 m² ½ Ltd®…,Nº 7 · 20° «A»\n`, 'windows-1252');
    const { outcome, issues } = await importBytes('a.csv', bytes);
    expect(outcome).toMatchObject({ detection: { encoding: 'windows-1252' } });
    expect(issues).toEqual([]);
  });
});

test('text that was decoded wrongly before it was written is noted in any file', async () => {
  const text = `${header}A,S1,1,JosÃ© GarcÃ­a,Boise\nB,S1,1,Jos\ufffd,Oâ€™Fallon\nC,S1,1,José ÅÂ,Besançon\n`;
  const { issues } = await importBytes('a.csv', text);
  expect(issues.map((issue) => [issue.rowNumber, issue.column, issue.code])).toEqual([
    [2, 'ship_name', 'odd_characters'],
    [3, 'ship_city', 'odd_characters'],
  ]);
  // No encoding can repair this file.
  for (const { message } of issues) expect(message).toMatch(/damaged before it came.*export it again/);
});

describe('a letter that was replaced before the file was written', () => {
  test.each(['M?ller', 'Mu?oz', 'M+APw-ller', 'Fran+AOc-ois Lef+AOg-vre', 'Caf+AOk- Central'])(
    'is noted once for a column: %s',
    async (name) => {
      const { issues } = await importBytes('a.csv', `${header}A,S1,1,${name},Boise\nB,S1,1,${name},Boise\n`);
      expect(
        issues.map(({ severity, code, rowNumber, column }) => [severity, code, rowNumber, column]),
      ).toEqual([['note', 'odd_characters', 2, 'ship_name']]);
      expect(issues[0]!.message).toMatch(/export the file again/);
    },
  );

  test.each(['Who? What', 'A+B Stores', 'C++ Ltd', 'Vitamin D+K2-plus', 'https://a.example/x?yes', 'Ready?'])(
    'is not seen where none is: %s',
    async (name) => {
      const { issues } = await importBytes('a.csv', `${header}A,S1,1,${name},Boise\n`);
      expect(issues).toEqual([]);
    },
  );
});

describe('a Ctrl-Z at the end', () => {
  const text = `${header}A,S1,1,Smith,Boise\r\nB,S1,2,Smith,Boise\r\n`;
  test.each<[string, string | Buffer]>([
    ['alone', `${text}\x1a`],
    ['with a line end', `${text}\x1a\r\n`],
    ['many times', `${text}${'\x1a'.repeat(200_000)}`],
    ['without a line end above it', `${text.trimEnd()}\x1a`],
    ['in UTF-16', Buffer.from(`\ufeff${text}\x1a`, 'utf16le')],
    ['in windows-1252', Buffer.from(`${text.replace('Smith', 'José')}\x1a`, 'latin1')],
  ])('ends the text: %s', async (_, bytes) => {
    const { rows, issues } = await importBytes('a.csv', bytes);
    expect(issues).toEqual([]);
    expect(rows.map((row) => [row.poNumber, row.quantity])).toEqual([
      ['A', 1],
      ['B', 2],
    ]);
  });

  test('does not hide rows below it', async () => {
    const { refusals } = await importBytes('a.csv', `${text}\x1aC,S1,3,Smith,Boise\r\n`);
    expect(refusals.map((issue) => issue.rowNumber)).toContain(4);
  });
});
