import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { configSchema } from '../../src/config/schema.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, validateFormats: false });
const validate = ajv.compile(configJsonSchema());
const root = new URL('../../', import.meta.url);

const mistakes = (settings: unknown): string[] => {
  validate(settings);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${params.additionalProperty ?? ''}`.trimEnd(),
  );
};

test('the example and the configurations of the samples are valid by the schema, as they are for us', async () => {
  const samples = (await readdir(new URL('samples/', root), { recursive: true })).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  const files = ['cartwright.example.yaml', ...samples.map((name) => `samples/${name}`)];
  for (const file of files) {
    const settings = parse(await readFile(new URL(file, root), 'utf8'));
    if (!configSchema.safeParse(settings).success) continue;
    expect({ file, mistakes: mistakes(settings) }).toEqual({ file, mistakes: [] });
  }
});

test.each([
  [{ accounts: { north: { baseurl: 'https://a.example' } } }, 'additional properties baseurl'],
  [{ acounts: {} }, 'additional properties acounts'],
  [{ log: { level: 'loud' } }, 'one of the allowed values'],
  [{ console: { port: 'many' } }, 'must be integer'],
  [{ accounts: { North: {} } }, 'pattern'],
])('%j is a mistake by the schema', (settings, says) => {
  expect(configSchema.safeParse(settings).success).toBe(false);
  expect(mistakes(settings).join('\n')).toMatch(new RegExp(says.split(' ').join('.*')));
});

test('every setting says what it means', () => {
  const text = JSON.stringify(configJsonSchema());
  expect(text).not.toContain('"secret":');
  const { properties } = configJsonSchema() as { properties: { dataFolder: { description: string } } };
  expect(properties.dataFolder.description).toContain('Folder');
});
