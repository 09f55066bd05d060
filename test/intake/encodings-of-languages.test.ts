import { describe, expect, test } from 'vitest';
import { encodeText } from './support/encode-text.ts';
import { importBytes } from './support/import-file.ts';
import { type LanguageNames, otherNames, westernNames } from './support/names-by-language.ts';

const header = 'po_number,item_sku,quantity,ship_name,ship_city\n';

/** Whether a small file with these names reads them correctly, or notes a doubt; each is above a row without such letters. */
const read = async (names: readonly string[], encoding: string) => {
  const rows = names.map((name, at) => `P${at},S${at},1,"${name}",Boise\nQ${at},S${at},2,Smith,Boise\n`);
  const {
    rows: found,
    issues,
    outcome,
  } = await importBytes('a.csv', encodeText(header + rows.join(''), encoding));
  const right = names.every(
    (name, at) => (JSON.parse(found[2 * at]?.options ?? '{}') as { ship_name?: string }).ship_name === name,
  );
  const noted = outcome.kind === 'refused' || issues.some(({ column }) => column === 'ship_name');
  return { right, noted, names: names.join(', ') };
};

/** Groups of consecutive names, and all of them together; only names that the encoding can write. */
const groupsOf = ({ names }: LanguageNames, encoding: string, size: number): string[][] => {
  const written = names.filter((name) => {
    try {
      return encodeText(name, encoding).length > 0;
    } catch {
      return false;
    }
  });
  const groups = [written];
  for (let at = 0; at < written.length; at += size) groups.push(written.slice(at, at + size));
  return groups;
};

const cases = (languages: Record<string, LanguageNames>) =>
  Object.entries(languages).flatMap(([language, { encodings }]) =>
    encodings.map((encoding) => [language, encoding] as const),
  );

describe('a small file of a western language', () => {
  test.each(cases(westernNames))('is never read as another one: %s in %s', async (language, encoding) => {
    for (const size of [1, 3]) {
      for (const group of groupsOf(westernNames[language]!, encoding, size)) {
        const { right, noted, names } = await read(group, encoding);
        // iso-8859-15 has œ where windows-1252 has ½; this gets a note.
        expect([names, right || noted]).toEqual([names, true]);
        if (encoding === 'windows-1252') expect([names, right]).toEqual([names, true]);
      }
    }
  });

  test('has no note, except for a few words that could be Turkish', async () => {
    for (const [language, names] of Object.entries(westernNames)) {
      const size = language === 'icelandic' ? 3 : 1;
      for (const group of groupsOf(names, 'windows-1252', size)) {
        const { noted, names } = await read(group, 'windows-1252');
        expect([names, noted]).toEqual([names, false]);
      }
    }
  });

  test('may have names of several western languages', async () => {
    const lists = Object.values(westernNames).map(({ names }) => names);
    for (let at = 0; at < 20; at += 1) {
      const mixed = lists.map((names) => names[at % names.length]!);
      expect(await read(mixed, 'windows-1252')).toMatchObject({ right: true });
    }
  });
});

test.each(cases(otherNames))(
  'five names of another language are right, noted or refused: %s in %s',
  async (language, encoding) => {
    for (const group of groupsOf(otherNames[language]!, encoding, 5)) {
      const { right, noted, names } = await read(group, encoding);
      // Jânis and Rîga are names in windows-1252 too.
      if (language === 'baltic' && !right) continue;
      expect([names, right || noted]).toEqual([names, true]);
    }
  },
);
