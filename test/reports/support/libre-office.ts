import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Whether LibreOffice is installed; prints a note if not, because its test is then skipped. */
export const haveLibreOffice = (): boolean => {
  if (spawnSync('soffice', ['--version']).status === 0) return true;
  process.stderr.write('soffice is not installed: workbooks are not opened in LibreOffice by this run\n');
  return false;
};

/** Opens a workbook in LibreOffice and saves it again, as a dealer would. The caller removes the folder. */
export const throughLibreOffice = async (path: string): Promise<{ path: string; folder: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-office-'));
  const profile = pathToFileURL(join(folder, 'profile')).href;
  const saved = join(folder, 'saved');
  await promisify(execFile)(
    'soffice',
    [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', 'xlsx', '--outdir', saved, path],
    { timeout: 55_000 },
  );
  return { path: join(saved, basename(path)), folder };
};
