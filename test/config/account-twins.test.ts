import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

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

describe('two accounts with the same credentials at a service are refused', () => {
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
      /accounts\.b: has the same baseUrl and credential as accounts\.a, so they are the same account/,
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
    await expect(load({ a: at(base, one), b: at(base, other) })).rejects.toThrow(/the same account/);
  });

  test('a bearer token and the same one written as a header', async () => {
    const header = { kind: 'header', name: 'Authorization', secretEnv: 'WHOLE' };
    const loading = load({ a: at(base), b: at(base, header) }, { WHOLE: 'Bearer secret-1' });
    await expect(loading).rejects.toThrow(/the same account/);
  });
});

describe('two accounts with different credentials are accepted', () => {
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
  const refused = /accounts\.b\.folder: is the folder of accounts\.a/;

  test('named by the same, a relative or a roundabout path, whether it exists or not', async () => {
    for (const make of [false, true]) {
      if (make) await mkdir(join(folder, 'shop'), { recursive: true });
      for (const other of [join(folder, 'shop'), 'shop', './shop/', 'x/../shop']) {
        await expect(load({ a: { folder: join(folder, 'shop') }, b: { folder: other } })).rejects.toThrow(
          refused,
        );
      }
    }
  });

  test('reached by a symlink to it, to its parent, or to a folder that does not exist yet', async () => {
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

  test('that is the default folder of the other account, or a link to it', async () => {
    await expect(load({ a: {}, b: { folder: 'accounts/a' } })).rejects.toThrow(refused);
    await mkdir(join(folder, 'accounts/a'), { recursive: true });
    await symlink('a', join(folder, 'accounts/b'));
    await expect(load({ a: {}, b: {} })).rejects.toThrow(refused);
    expect((await load({ a: {}, c: {} })).accounts).toHaveLength(2);
  });
});

test('two accounts whose inboxes are linked are refused', async () => {
  await mkdir(join(folder, 'accounts/linked'), { recursive: true });
  await mkdir(join(folder, 'accounts/real/inbox'), { recursive: true });
  await symlink('../real/inbox', join(folder, 'accounts/linked/inbox'));
  await expect(load({ real: {}, linked: {} })).rejects.toThrow(
    /accounts\.\w+\.folder: .*or has the same inbox/,
  );
});

describe('a service address with credentials, a query or a fragment', () => {
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
    const refusal = await message(baseUrl);
    expect(refusal).toContain('accounts.a.baseUrl: ');
    expect(refusal).not.toContain('s3cr3t-pw');
  });

  test('is refused in the environment too, without showing the password', () => {
    const load = () => loadConfig({}, { CARTWRIGHT_BASE_URL: 'https://u:s3cr3t-pw@api.example.com' });
    expect(load).toThrow(/must not contain a user or password/);
    expect(load).not.toThrow(/s3cr3t-pw/);
  });

  test('is refused for a query or fragment, because paths are appended to the address', async () => {
    expect(await message('https://api.example.com/v4?key=1')).toContain('must not contain ? or #');
    expect(await message('https://api.example.com/#x')).toContain('must not contain ? or #');
  });
});
