import type { FileHandle } from 'node:fs/promises';
import { readAt, startsWith } from '../formats/first-bytes.ts';

const endRecordSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const endRecordBytes = 22;
const longestComment = 0xffff;

/** A zip file ends with its central directory and a record that gives the directory's position. */
const zipIsComplete = async (handle: FileHandle, size: number): Promise<boolean> => {
  const length = Math.min(size, endRecordBytes + longestComment);
  const tail = await readAt(handle, size - length, length);
  const at = tail.lastIndexOf(endRecordSignature);
  if (at < 0 || at + endRecordBytes > tail.length) return false;
  const directoryEnd = tail.readUInt32LE(at + 12) + tail.readUInt32LE(at + 16);
  return directoryEnd <= size || tail.readUInt32LE(at + 16) === 0xffffffff;
};

const oleHeaderBytes = 512;
const oleSectorsInHeader = 109;
/** Entries of an allocation table from this value on are not sector numbers. */
const oleSpecial = 0xfffffffa;
const oleTable = [0xfffffffc, 0xfffffffd];

/** A compound file lists its sectors in allocation tables; the file must contain the last sector in use. */
const oleIsComplete = async (handle: FileHandle, size: number): Promise<boolean> => {
  const header = await readAt(handle, 0, oleHeaderBytes);
  if (header.length < oleHeaderBytes) return false;
  const sectorBytes = 2 ** header.readUInt16LE(0x1e);
  if (sectorBytes !== 512 && sectorBytes !== 4096) return true;
  let last = -1;
  const use = (sector: number) => {
    if (sector < oleSpecial) last = Math.max(last, sector);
  };
  use(header.readUInt32LE(0x30));
  use(header.readUInt32LE(0x3c));
  const tables = Math.min(header.readUInt32LE(0x2c), oleSectorsInHeader);
  for (let at = 0; at < tables; at += 1) {
    const table = await readAt(handle, (header.readUInt32LE(0x4c + 4 * at) + 1) * sectorBytes, sectorBytes);
    if (table.length < sectorBytes) return false;
    for (let entry = 0; entry < sectorBytes / 4; entry += 1) {
      const next = table.readUInt32LE(4 * entry);
      use(next);
      // An unused entry may equal the end of a chain: some programs write the same value for both.
      if (next < oleSpecial || oleTable.includes(next)) use((at * sectorBytes) / 4 + entry);
    }
  }
  return size >= (last + 2) * sectorBytes;
};

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Old programs end a text with Ctrl-Z. */
const endOfText = 0x1a;

const endsLine = (unit: number | undefined): boolean =>
  unit === lineFeed || unit === carriageReturn || unit === endOfText;

/** Text must end with a line end, which has two bytes in UTF-16 and four in UTF-32. */
const textIsComplete = async (handle: FileHandle, size: number, head: Buffer): Promise<boolean> => {
  if (size === 0) return false;
  const littleEndian = startsWith(head, 0xff, 0xfe) || (head[0] !== 0 && head[1] === 0);
  const bigEndian = startsWith(head, 0xfe, 0xff) || (head[0] === 0 && head[1] !== 0);
  if (startsWith(head, 0xff, 0xfe, 0, 0) || startsWith(head, 0, 0, 0xfe, 0xff)) {
    const unit = await readAt(handle, size - 4, 4);
    return size % 4 === 0 && endsLine(head[0] === 0 ? unit.readUInt32BE() : unit.readUInt32LE());
  }
  if (!littleEndian && !bigEndian) return endsLine((await readAt(handle, size - 1, 1))[0]);
  if (size % 2 !== 0) return false;
  const unit = await readAt(handle, size - 2, 2);
  return endsLine(littleEndian ? unit.readUInt16LE() : unit.readUInt16BE());
};

const isMarkup =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<(?:\?xml|!doctype|html|head|body|table|meta|style)\b/i;
/** White space and comments may follow. */
const markupEnd = /<\/(?:html|body|table|(?:\w+:)?workbook)\s*>(?:\s|<!--[^<]*-->)*$/i;
const markupBytes = 2048;

/** A web page or XML spreadsheet ends with the end tag of its root or table. In UTF-16 every second byte is zero. */
const markupIsComplete = async (handle: FileHandle, size: number): Promise<boolean> => {
  const tail = await readAt(handle, Math.max(0, size - markupBytes), markupBytes);
  return markupEnd.test(tail.toString('latin1').replaceAll('\0', ''));
};

/**
 * Whether a file has the end that its format requires. A paused upload may stop anywhere, even in the middle of a number.
 * The format is detected by the first bytes. A stream of Excel 3 to 5 ends with an end record.
 */
export const hasCompleteEnd = async (handle: FileHandle): Promise<boolean> => {
  const { size } = await handle.stat();
  const head = await readAt(handle, 0, 4);
  if (startsWith(head, 0x50, 0x4b)) return zipIsComplete(handle, size);
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return oleIsComplete(handle, size);
  if (head[0] === 9 && [0, 2, 4, 8].includes(head[1] ?? -1)) {
    return (await readAt(handle, Math.max(0, size - 4), 4)).equals(Buffer.from([0x0a, 0, 0, 0]));
  }
  const start = (await readAt(handle, 0, 64)).toString('latin1').replaceAll('\0', '');
  if (isMarkup.test(start)) return markupIsComplete(handle, size);
  return textIsComplete(handle, size, head);
};
