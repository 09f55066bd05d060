import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { createLocalPlace } from '../../src/sources/local-place.ts';
import { openSftpPlace } from '../../src/sources/sftp-place.ts';
import { asNobody } from '../support/as-nobody.ts';
import { startSshd } from '../support/sshd.ts';
import { filePlaceContract } from './file-place.contract.ts';

filePlaceContract('a folder of this machine', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cartwright-place-'));
  const give = (path: string) => {
    if (process.getuid?.() === 0) chownSync(join(root, path), 65_534, 65_534);
  };
  give('');
  return {
    place: createLocalPlace(root),
    root,
    give,
    asUser: asNobody,
    stop: async () => rmSync(root, { recursive: true, force: true }),
  };
});

const sshd = await startSshd();
afterAll(() => sshd?.stop());

// startSshd throws in CI; elsewhere the test's name says that SFTP was not tested.
describe.skipIf(!sshd)('with sshd (skipped where it is not installed)', () => {
  let tests = 0;
  filePlaceContract('an SFTP server', async () => {
    const { root, server, give } = sshd!;
    tests += 1;
    const folder = mkdtempSync(join(root, `test-${tests}-`));
    const below = (path: string) => join(folder.slice(root.length + 1), path);
    give(below(''));
    const place = await openSftpPlace(server);
    const inside = (path: string) => (path === '' ? below('') : below(path));
    return {
      // Sessions start in the folder that all tests share.
      place: {
        list: (path) => place.list(inside(path)),
        find: (path) => place.find(inside(path)),
        read: (path) => place.read(inside(path)),
        write: (path, content) => place.write(inside(path), content),
        move: (from, to) => place.move(inside(from), inside(to)),
        remove: (path) => place.remove(inside(path)),
        close: () => place.close(),
      },
      root: folder,
      give: (path) => void give(below(path)),
      asUser: (work) => work(),
      stop: () => place.close(),
    };
  });
});
