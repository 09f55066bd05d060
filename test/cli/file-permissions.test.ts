import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, fileOf, type System, somePos, startService } from '../support/run-system.ts';

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let folder: string;
let system: System | undefined;
const umask = process.umask();
beforeEach(async () => {
  ledger = await createTestDatabase();
  service = await startService(ledger.url, { dealers: [{ name: 'north', token: 'north' }] });
  folder = await mkdtemp(join(tmpdir(), 'cartwright-permissions-'));
});
afterEach(async () => {
  process.umask(umask);
  await system?.stop();
  await service.stop();
  await ledger.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Permission bits of an account's folders and files, by relative path. */
const modesIn = async (
  root: string,
): Promise<{ folders: Record<string, number>; files: Record<string, number> }> => {
  const folders: Record<string, number> = { '.': (await stat(root)).mode & 0o777 };
  const files: Record<string, number> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = (await stat(path)).mode & 0o777;
    if (entry.isDirectory()) folders[path.slice(root.length + 1)] = mode;
    else files[path.slice(root.length + 1)] = mode;
  }
  return { folders, files };
};

test.each([
  { readableBy: 'owner', folderMode: 0o700, inboxMode: 0o700, fileMode: 0o600, masked: 0 },
  { readableBy: 'owner', folderMode: 0o700, inboxMode: 0o700, fileMode: 0o600, masked: 0o022 },
  { readableBy: 'group', folderMode: 0o750, inboxMode: 0o770, fileMode: 0o640, masked: 0 },
  { readableBy: 'group', folderMode: 0o750, inboxMode: 0o770, fileMode: 0o640, masked: 0o077 },
])(
  'purchase files, copies, results and reports are for the $readableBy (umask $masked)',
  async ({ readableBy, folderMode, inboxMode, fileMode, masked }) => {
    const root = join(folder, 'north');
    system = await createSystem({
      ledgerUrl: ledger.url,
      folder: await mkdtemp(join(folder, 'system-')),
      accounts: {
        north: {
          baseUrl: service.url,
          token: 'north',
          folder: root,
          filesReadableBy: readableBy,
          reportFormats: ['csv', 'xlsx', 'json'],
        },
      },
      worker: { sweepEveryMs: 200 },
    });
    process.umask(masked);
    const { runtime } = await system.work();
    await system.drop('north', 'good.csv', fileOf(somePos('P-', 2)));
    await system.settled(1);
    await system.drop('north', 'again.csv', fileOf(somePos('P-', 2)));
    await system.drop('north', 'refused.csv', 'po_number,item_sku,quantity\n');
    await system.settled(3);
    await runtime.jobs.writeStatusReport('north');
    const imports = await system.ledger.query(`select id from imports where state <> 'repeated'`);
    for (const { id } of imports.rows) await runtime.jobs.writeResult(id);
    await system.stop();

    const { folders, files } = await modesIn(root);
    const { '.position': _, inbox, ...others } = folders;
    expect(inbox).toBe(inboxMode);
    expect(new Set(Object.values(others))).toEqual(new Set([folderMode]));
    const shown = Object.entries(files).filter(([path]) => !path.startsWith('.position'));
    expect(shown.filter(([, mode]) => mode !== fileMode)).toEqual([]);
    for (const place of ['done/', 'failed/', 'files/', 'results/', 'reports/']) {
      expect(
        shown.some(([path]) => path.startsWith(place)),
        place,
      ).toBe(true);
    }
    system = undefined;
  },
);
