import { type FileHandle, open } from 'node:fs/promises';

/** Whether bytes begin with these. */
export const startsWith = (head: Buffer, ...bytes: number[]): boolean =>
  bytes.every((byte, at) => head[at] === byte);

/** Bytes of an open file from a position on; fewer at the end of the file. */
export const readAt = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
};

/** This many bytes are enough to detect the format. */
export const headBytes = 4096;

/** The first bytes of a file. */
export const headOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path, 'r');
  try {
    return await readAt(handle, 0, headBytes);
  } finally {
    await handle.close();
  }
};

/** The encoding that XML declares; undefined: none. */
export const declaredEncoding = (head: Buffer): string | undefined =>
  /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    head.toString('latin1', 0, headBytes),
  )?.[1];

/** XML that is UTF-16, by its mark or its first sign (XML 1.0, appendix F); undefined for all other encodings. */
export const wideXml = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (startsWith(head, 0xff, 0xfe) || startsWith(head, 0x3c, 0)) return 'utf-16le';
  return startsWith(head, 0xfe, 0xff) || startsWith(head, 0, 0x3c) ? 'utf-16be' : undefined;
};
