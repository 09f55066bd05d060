import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Quantities } from '../support/judge.ts';
import { fileOf } from '../support/run-system.ts';

/** A file whose upload pauses, and its POs. */
export interface GrowingFile {
  name: string;
  /** The POs of the complete file. */
  whole: Map<string, Quantities>;
  /** The POs that could be read when the upload paused; empty if the file did not end properly then. */
  before: Map<string, Quantities>;
  head: string;
  tail: string;
}

/**
 * A file of these POs, cut at a line end within its middle PO (`line`), so that it seems complete and is picked up; or in the
 * middle of its last number (`cell`), so that it must not be picked up before the rest has arrived.
 */
export const cutFile = (name: string, whole: Map<string, Quantities>, cut: 'line' | 'cell'): GrowingFile => {
  const content = fileOf(whole);
  if (cut === 'cell')
    return { name, whole, before: new Map(), head: content.slice(0, -2), tail: content.slice(-2) };
  const lines = content.split('\n');
  const [header, ...rows] = lines.slice(0, -1);
  const upTo = Math.floor(rows.length / 2);
  const before = new Map<string, Quantities>();
  for (const row of rows.slice(0, upTo)) {
    const [po, sku, quantity] = row.split(',');
    before.set(po!, { ...before.get(po!), [sku!]: Number(quantity) });
  }
  const head = `${[header, ...rows.slice(0, upTo)].join('\n')}\n`;
  return { name, whole, before, head, tail: content.slice(head.length) };
};

/** An upload that has paused. */
export interface PausedUpload {
  file: GrowingFile;
  /** Resolves when the file has been taken from the inbox. */
  pickedUp(signal: AbortSignal | undefined): Promise<void>;
  /** Writes the rest into the same open file, even if it has been moved. */
  finish(): Promise<void>;
}

/** Writes the first part of the file directly into the inbox and keeps the file open, like an upload server. */
export const startUpload = async (inbox: string, file: GrowingFile): Promise<PausedUpload> => {
  await mkdir(inbox, { recursive: true });
  const path = join(inbox, file.name);
  const handle: FileHandle = await open(path, 'w');
  await handle.writeFile(file.head);
  return {
    file,
    pickedUp: async (signal) => {
      const isThere = () =>
        stat(path).then(
          () => true,
          () => false,
        );
      while (await isThere()) await sleep(100, undefined, { signal });
    },
    finish: async () => {
      await handle.writeFile(file.tail);
      await handle.close();
    },
  };
};
