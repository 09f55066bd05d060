import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-twins-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const env = { ONE: 'secret-1', SAME: 'secret-1', TWO: 'secret-2' };
const load = async (accounts: Record<string, object>, more: NodeJS.ProcessEnv = {}) => {
  const file = join(folder, `${++files}.yaml`);
  await writeFile(file, JSON.stringify({ dataFolder: folder, accounts }));
  return loadConfig({ file }, { ...env, ...more });
};
const bearer = (secretEnv = 'ONE') => ({ kind: 'bearer', secretEnv });
const at = (baseUrl: string, auth: object = bearer()) => ({ baseUrl, auth });

describe('two accounts that are one at the service are refused', () => {
  test.each([
    ['https://api.example.com/v4', 'https://api.example.com/v4/'],
    ['https://api.example.com/v4', 'https://API.Example.COM/v4'],
    ['https://api.example.com/v4', 'HTTPS://api.example.com:443/v4'],
    ['https://api.example.com', 'https://api.example.com.:443//'],
    ['http://api.example.com/v4', 'http://api.example.com:80/v4'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://api.example.com/a/../v4', 'https://api.example.com/v4'],
  ])('%s and %s', async (one, other) => {
    await expect(load({ a: at(one), b: at(other) })).rejects.toThrow(
      /accounts\.a and accounts\.b .* one account/,
    );
  });

  const base = 'https://api.example.com';
  test.each<[string, object, object]>([
    ['one token in two variables', bearer('ONE'), bearer('SAME')],
    [
      'one user with one password',
      { kind: 'basic', user: 'u', secretEnv: 'ONE' },
      { kind: 'basic', user: 'u', secretEnv: 'SAME' },
    ],
    [
      'one header in two spellings',
      { kind: 'header', name: 'X-Key', secretEnv: 'ONE' },
      { kind: 'header', name: 'x-key', secretEnv: 'SAME' },
    ],
    ['no credential at all', { kind: 'none' }, { kind: 'none' }],
  ])('%s', async (_, one, other) => {
    await expect(load({ a: at(base, one), b: at(base, other) })).rejects.toThrow(/one account/);
  });

  test('a bearer token and the same one written as a header', async () => {
    const header = { kind: 'header', name: 'Authorization', secretEnv: 'WHOLE' };
    const loading = load({ a: at(base), b: at(base, header) }, { WHOLE: 'Bearer secret-1' });
    await expect(loading).rejects.toThrow(/one account/);
  });
});

describe('accounts that differ are not', () => {
  const base = 'https://api.example.com';
  test.each<[string, object, object]>([
    [
      'two users with one password',
      at(base, { kind: 'basic', user: 'u', secretEnv: 'ONE' }),
      at(base, { kind: 'basic', user: 'w', secretEnv: 'ONE' }),
    ],
    ['two tokens', at(base), at(base, bearer('TWO'))],
    ['two services', at(base), at('https://other.example.com')],
    ['two ports', at(base), at(`${base}:8443`)],
    ['two paths that differ in case', at(`${base}/v4`), at(`${base}/V4`)],
    [
      'two headers with one secret',
      at(base, { kind: 'header', name: 'X-A', secretEnv: 'ONE' }),
      at(base, { kind: 'header', name: 'X-B', secretEnv: 'ONE' }),
    ],
  ])('%s', async (_, a, b) => {
    expect((await load({ a, b })).accounts).toHaveLength(2);
  });
});

describe('two accounts with one folder are refused', () => {
  const refused = /accounts\.a and accounts\.b have the same folder/;

  test('by the same, a relative, and a winding path, whether it exists or not', async () => {
    for (const make of [false, true]) {
      if (make) await mkdir(join(folder, 'shop'), { recursive: true });
      for (const other of [join(folder, 'shop'), 'shop', './shop/', 'x/../shop']) {
        await expect(load({ a: { folder: join(folder, 'shop') }, b: { folder: other } })).rejects.toThrow(
          refused,
        );
      }
    }
  });

  test('by a symlink to the folder, to one above it, and to one that does not exist yet', async () => {
    await mkdir(join(folder, 'real'), { recursive: true });
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await symlink('not-yet', join(folder, 'dangling'));
    await symlink('round', join(folder, 'round'));
    await expect(load({ a: { folder: 'real' }, b: { folder: 'link' } })).rejects.toThrow(refused);
    await expect(load({ a: { folder: 'real/deep/er' }, b: { folder: 'link/deep/er' } })).rejects.toThrow(
      refused,
    );
    await expect(load({ a: { folder: 'not-yet' }, b: { folder: 'dangling' } })).rejects.toThrow(refused);
    expect((await load({ a: { folder: 'real' }, b: { folder: 'round' } })).accounts).toHaveLength(2);
  });

  test('by the default folder of another account, and by a link in its place', async () => {
    await expect(load({ a: {}, b: { folder: 'accounts/a' } })).rejects.toThrow(refused);
    await mkdir(join(folder, 'accounts/a'), { recursive: true });
    await symlink('a', join(folder, 'accounts/b'));
    await expect(load({ a: {}, b: {} })).rejects.toThrow(refused);
    expect((await load({ a: {}, c: {} })).accounts).toHaveLength(2);
  });
});

test('two accounts with one inbox, by a link, are refused', async () => {
  await mkdir(join(folder, 'accounts/linked'), { recursive: true });
  await mkdir(join(folder, 'accounts/real/inbox'), { recursive: true });
  await symlink('../real/inbox', join(folder, 'accounts/linked/inbox'));
  await expect(load({ real: {}, linked: {} })).rejects.toThrow(/same folder or inbox/);
});

describe('an address that says more than where the service is', () => {
  const message = async (baseUrl: string): Promise<string> =>
    load({ a: { baseUrl } }).then(
      () => 'taken',
      (error: Error) => error.message,
    );

  test.each([
    'https://dealer:s3cr3t-pw@api.example.com/v4',
    'https://:s3cr3t-pw@api.example.com',
    'https://s3cr3t-pw@api.example.com',
    'ftp://dealer:s3cr3t-pw@api.example.com',
    'https://dealer:s3cr3t-pw@api.example.com:port',
  ])('with a user or password is refused, and never shown: %s', async (baseUrl) => {
    const said = await message(baseUrl);
    expect(said).toContain('accounts.a.baseUrl: ');
    expect(said).not.toContain('s3cr3t-pw');
  });

  test('out of the environment neither', () => {
    const load = () => loadConfig({}, { CARTWRIGHT_BASE_URL: 'https://u:s3cr3t-pw@api.example.com' });
    expect(load).toThrow(/without user and password/);
    expect(load).not.toThrow(/s3cr3t-pw/);
  });

  test('with a query or a fragment is refused: calls are appended to it', async () => {
    expect(await message('https://api.example.com/v4?key=1')).toContain('without ? and #');
    expect(await message('https://api.example.com/#x')).toContain('without ? and #');
  });
});
