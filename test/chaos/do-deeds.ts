import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRuntime } from '../../src/cli/open-runtime.ts';
import { silentLogger } from '../../src/logger.ts';
import { importJob } from '../../src/queue/next-work.ts';
import type { Deed } from './asked.ts';
import { startUpload } from './growing-file.ts';
import { type Scene, troubled } from './scene.ts';

/** The dealers' side of chaos. */
export interface Dealing {
  /** Does one thing; uploads that pause go on beside what follows. */
  perform(deed: Deed): Promise<void>;
  /** Resolves when all uploads are whole; throws where a file was picked up in the middle of a cell. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const beside = (folder: string, name: string | Buffer): string | Buffer =>
  typeof name === 'string' ? join(folder, name) : Buffer.concat([Buffer.from(`${folder}/`), name]);

/** An upload of which nothing can be picked up pauses at least for this long: many times fileSettle. */
const pauseMs = 1500;

export const startDealing = async (
  { system }: Scene,
  random: () => number,
  signal: AbortSignal | undefined,
): Promise<Dealing> => {
  const folderOf = (dealer: string) => system.config.accounts.find(({ name }) => name === dealer)!.folder;
  // Quotes come by the command line's own way.
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
        // The queue may be away: the sweep finds what was taken.
        if (state === 'taken') await runtime.queues.enqueue([importJob(importId)]).catch(() => {});
        return;
      } catch (error) {
        // The ledger is away at this moment.
        if (signal?.aborted) throw error;
        await sleep(300, undefined, { signal });
      }
    }
  };
  const upload = async ({ dealer, file }: Extract<Deed, { kind: 'upload' }>): Promise<void> => {
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

  // A name that is no UTF-8 in a folder that each sweep reads; what is in it is nobody's order.
  await put(
    join(folderOf(troubled), 'done'),
    Buffer.from('alt_\xfc.csv', 'latin1'),
    'po_number,item_sku,quantity\nnever asked for,SKU-1,1\n',
  );
  return {
    perform: async (deed) => {
      if (deed.kind === 'upload') {
        const going = upload(deed);
        going.catch(() => {});
        uploads.push(going);
      } else if (deed.kind === 'quote') await quote(deed.dealer, deed.name as string, deed.content);
      else await put(join(folderOf(deed.dealer), 'inbox'), deed.name, deed.content);
    },
    settle: async () => {
      await Promise.all(uploads);
    },
    stop: () => runtime.stop(),
  };
};
