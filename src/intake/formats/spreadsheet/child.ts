import { on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { FileRefused, messageOf, refusedBy } from '../../../errors.ts';
import { answerDescriptor, type ChildAnswer, type ChildTask, packRow } from './child-protocol.ts';
import { readOdsMarks, withOdsMarks } from './ods-marks.ts';
import { openMarkup } from './open-markup.ts';
import { type OpenWorkbook, openXlsx } from './open-xlsx.ts';
import { refuseOtherOle, refuseOtherZip } from './other-documents.ts';
import { damaged, encrypted } from './refused-workbook.ts';
import { scanXml } from './scan-xml.ts';
import { openZip } from './zip-parts.ts';

/** Imported only when needed: SheetJS is large, and most workbooks are read without it. */
const openLegacy = async (task: ChildTask) =>
  (await import('./open-legacy.ts')).openLegacy(task.path, task.limits);

const encryptedPackageName = Buffer.from('EncryptedPackage', 'utf16le');

const openOle = async (task: ChildTask) => {
  const bytes = await readFile(task.path);
  if (bytes.includes(encryptedPackageName)) throw encrypted();
  refuseOtherOle(bytes);
  return openLegacy(task);
};

/** @see scanHtml; imported only when needed, as its parser is */
const openHtml = async ({ path, encoding, limits }: ChildTask) => {
  const { scanHtml } = await import('./scan-html.ts');
  const opened = await openMarkup({ path, encoding: encoding!, format: 'html' }, limits, scanHtml);
  if (opened.tables.length > 0) return opened;
  throw new FileRefused(
    'not_a_purchase_file',
    'The file is a web page without a table, such as a login or error page. Export the orders again, if possible as an Excel workbook (.xlsx) or as CSV, and send that file.',
  );
};

const openXml = async ({ path, encoding, limits }: ChildTask) => {
  try {
    return await openMarkup({ path, encoding: encoding!, format: 'xml' }, limits, scanXml);
  } catch (error) {
    // The advice to set the encoding does not apply, because XML declares it.
    if (error instanceof FileRefused && error.code === 'encoding_wrong')
      throw damaged(`it has bytes that are not ${encoding}`, error);
    throw error;
  }
};

const openWorkbook = async (task: ChildTask): Promise<OpenWorkbook> => {
  if (task.kind === 'ole') return openOle(task);
  if (task.kind === 'html') return openHtml(task);
  if (task.kind === 'xml') return openXml(task);
  const zip = await openZip(task.path, task.limits.maxInflatedBytes);
  await refuseOtherZip(zip);
  if (zip.has('xl/workbook.bin') || zip.has('content.xml')) {
    // SheetJS unpacks whole parts into memory, so they must be much smaller than the limit.
    const largest = Math.max(...zip.names().map((name) => zip.sizeOf(name)));
    if (largest > (task.limits.memoryMb * 1024 * 1024) / 4) {
      throw new FileRefused(
        'workbook_too_large',
        'The workbook is too large to be read in this format. Save it as .xlsx or as CSV, and send that file.',
      );
    }
    try {
      const workbook = await openLegacy(task);
      return zip.has('content.xml') ? withOdsMarks(workbook, await readOdsMarks(zip)) : workbook;
    } finally {
      zip.close();
    }
  }
  return openXlsx(zip, task.limits);
};

const work = async (task: ChildTask, send: (answer: ChildAnswer) => Promise<void>): Promise<void> => {
  const workbook = await openWorkbook(task);
  const asked = on(process, 'message') as AsyncIterableIterator<[{ table: number }]>;
  await send({ kind: 'tables', format: workbook.format, tables: workbook.tables });
  for await (const [{ table }] of asked) {
    for await (const rows of workbook.rows(table)) await send({ kind: 'rows', rows: rows.map(packRow) });
    await send({ kind: 'end' });
  }
};

/** Reads one workbook for the parent process, which ends this one when it is done. Every error here is treated as damage of the file. */
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
    await send(refusedBy(refusal));
  }
  answers.end();
  await once(answers, 'finish');
  process.exit(0);
};

await main();
