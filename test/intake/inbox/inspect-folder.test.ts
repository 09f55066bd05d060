import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderIdentity } from '../../../src/intake/inbox/folder-identity.ts';
import { inspectFolder } from '../../../src/intake/inbox/inspect-folder.ts';

const newFolder = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'cartwright-inspected-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return root;
};

test('of a folder as Cartwright makes it, everything is as it should be', async () => {
  const root = await newFolder();
  const identity = await createFolderIdentity(root);
  expect(await inspectFolder(root)).toMatchObject({
    identity,
    missing: [],
    unusable: [],
    otherFileSystem: [],
    foreignOwners: [],
    readableBy: { everybody: [], group: [] },
    ignoresCase: expect.any(Boolean),
    namesNotUtf8: 0,
    freeBytes: expect.any(Number),
  });
});

test('it sees what is missing, in the way, open to others, and named in another encoding', async () => {
  const root = await newFolder();
  await mkdir(join(root, 'inbox'), { mode: 0o700 });
  await mkdir(join(root, 'done'));
  await chmod(join(root, 'done'), 0o755);
  await mkdir(join(root, 'quotes'));
  await chmod(join(root, 'quotes'), 0o750);
  await writeFile(join(root, 'working'), '');
  await writeFile(
    Buffer.concat([Buffer.from(`${root}/inbox/caf`), Buffer.from([0xe9]), Buffer.from('.csv')]),
    '',
  );
  expect(await inspectFolder(root)).toMatchObject({
    identity: undefined,
    missing: ['failed', 'results', 'reports', 'files'],
    unusable: [`${join(root, 'working')} is not a folder`],
    readableBy: { everybody: ['done'], group: ['quotes'] },
    ignoresCase: undefined,
    namesNotUtf8: 1,
  });
});

test('where there is no folder, it creates none', async () => {
  const root = join(await newFolder(), 'north');
  expect(await inspectFolder(root)).toBeUndefined();
  expect(await inspectFolder(root)).toBeUndefined();
});
