import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importJob } from '../../src/dispatch/next-work.ts';
import { silentLogger } from '../../src/logger.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { startUpload } from './growing-file.ts';
import type { DealerEvent } from './plan-files.ts';
import { type Scene, troubled } from './scene.ts';

/** The dealers of a chaos run: they upload purchase files and request quotes. */
export interface Dealers {
  /** Performs one event; uploads that pause continue in the background. */
  perform(event: DealerEvent): Promise<void>;
  /** Resolves when all uploads are complete; throws if a file was picked up in the middle of a cell. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const beside = (folder: string, name: string | Buffer): string | Buffer =>
  typeof name === 'string' ? join(folder, name) : Buffer.concat([Buffer.from(`${folder}/`), name]);

/** An upload that must not be picked up early pauses for at least this long: many times fileSettle. */
const pauseMs = 1500;

export const startDealers = async (
  { system }: Scene,
  random: () => number,
  signal: AbortSignal | undefined,
): Promise<Dealers> => {
  const folderOf = (dealer: string) => system.config.accounts.find(({ name }) => name === dealer)!.folder;
  // Quotes are imported like by the command line.
  const runtime = await openRuntime({ config: system.config, logger: silentLogger });
  const uploads: Promise<void>[] = [];
  let count = 0;

  const put = async (folder: string, name: string | Buffer, content: string): Promise<void> => {
    count += 1;
    const draft = join(system.folder, `.draft-${count}`);
    await mkdir(folder, { recursive: true });
    await writeFile(draft, content);
    await rename(draft, beside(folder, name));
  };
  const quote = async (dealer: string, name: string, content: string): Promise<void> => {
    const folder = join(system.folder, 'quotes', dealer);
    await put(folder, name, content);
    for (;;) {
      try {
        const { claims } = runtime.accounts.get(dealer);
        const { importId, state } = await claims.claimCopy(join(folder, name), { quoteOnly: true });
        // If the queue is unreachable, the sweep finds the import.
        if (state === 'taken') await runtime.queues.enqueue([importJob(importId)]).catch(() => {});
        return;
      } catch (error) {
        // The ledger is unreachable: retry.
        if (signal?.aborted) throw error;
        await sleep(300, undefined, { signal });
      }
    }
  };
  const upload = async ({ dealer, file }: Extract<DealerEvent, { kind: 'upload' }>): Promise<void> => {
    const paused = await startUpload(join(folderOf(dealer), 'inbox'), file);
    if (file.before.size > 0) {
      await paused.pickedUp(signal);
      await sleep(random() * 2 * pauseMs, undefined, { signal });
    } else {
      const pickedUp = await Promise.race([
        paused.pickedUp(signal).then(() => true),
        sleep(pauseMs, false, { signal }),
      ]);
      if (pickedUp) throw new Error(`${file.name} was picked up in the middle of a number`);
    }
    await paused.finish();
  };

  // A file name that is not UTF-8 in a folder that each sweep reads. No verdict expects its order.
  await put(
    join(folderOf(troubled), 'done'),
    Buffer.from('alt_\xfc.csv', 'latin1'),
    'po_number,item_sku,quantity\nnever asked for,SKU-1,1\n',
  );
  return {
    perform: async (event) => {
      if (event.kind === 'upload') {
        const uploading = upload(event);
        uploading.catch(() => {});
        uploads.push(uploading);
      } else if (event.kind === 'quote') await quote(event.dealer, event.name as string, event.content);
      else await put(join(folderOf(event.dealer), 'inbox'), event.name, event.content);
    },
    settle: async () => {
      await Promise.all(uploads);
    },
    stop: () => runtime.stop(),
  };
};
