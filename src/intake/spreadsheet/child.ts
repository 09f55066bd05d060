import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { FileRefused, messageOf } from '../../errors.ts';
import type { SpreadsheetFormat } from '../types.ts';
import { answerDescriptor, type ChildAnswer, type ChildTask, packRow } from './child-protocol.ts';
import { type OpenWorkbook, openXlsx } from './open-xlsx.ts';
import { damaged, encrypted, openZip } from './zip-parts.ts';

/** Imported only when needed: SheetJS is large, and most workbooks are read without it. */
const openLegacy = async (task: ChildTask) =>
  (await import('./open-legacy.ts')).openLegacy(task.path, task.limits);

const encryptedPackageName = Buffer.from('EncryptedPackage', 'utf16le');

const openOle = async (task: ChildTask) => {
  if ((await readFile(task.path)).includes(encryptedPackageName)) {
    throw encrypted();
  }
  return openLegacy(task);
};

const openWorkbook = async (task: ChildTask): Promise<OpenWorkbook & { format: SpreadsheetFormat }> => {
  if (task.kind === 'ole') return openOle(task);
  const zip = await openZip(task.path, task.limits.maxInflatedBytes);
  if (zip.has('xl/workbook.bin') || zip.has('content.xml')) {
    // SheetJS unpacks whole parts into memory, so they must be much smaller than the limit.
    const largest = Math.max(...zip.names().map((name) => zip.sizeOf(name)));
    zip.close();
    if (largest > (task.limits.memoryMb * 1024 * 1024) / 4) {
      throw new FileRefused(
        'workbook_too_large',
        'The workbook is too large to be read in this format. Save it as .xlsx or as CSV, and send that file.',
      );
    }
    return openLegacy(task);
  }
  if (!zip.names().some((name) => name.endsWith('workbook.xml')) && !zip.has('_rels/.rels')) {
    zip.close();
    throw new FileRefused(
      'not_a_purchase_file',
      'The file is a zip archive, not a workbook. Send the file that is inside the archive.',
    );
  }
  return { format: 'xlsx', ...(await openXlsx(zip, task.limits)) };
};

const work = async (task: ChildTask, send: (answer: ChildAnswer) => Promise<void>): Promise<void> => {
  const workbook = await openWorkbook(task);
  const asked = once(process, 'message') as Promise<[{ table: number }]>;
  await send({ kind: 'tables', format: workbook.format, tables: workbook.tables });
  const [{ table }] = await asked;
  for await (const rows of workbook.rows(table)) await send({ kind: 'rows', rows: rows.map(packRow) });
  workbook.close();
  await send({ kind: 'end' });
};

/** Reads one workbook for the parent process, then exits. Every error here is treated as damage of the file. */
const main = async (): Promise<void> => {
  const answers = new Socket({ fd: answerDescriptor, readable: false, writable: true });
  const send = async (answer: ChildAnswer) => {
    if (!answers.write(`${JSON.stringify(answer)}\n`)) await once(answers, 'drain');
  };
  process.once('disconnect', () => process.exit(1));
  const [task] = (await once(process, 'message')) as [ChildTask];
  try {
    await work(task, send);
  } catch (error) {
    const refusal = error instanceof FileRefused ? error : damaged(messageOf(error), error);
    await send({ kind: 'refused', code: refusal.code, message: refusal.message });
  }
  answers.end();
  await once(answers, 'finish');
  process.exit(0);
};

await main();
