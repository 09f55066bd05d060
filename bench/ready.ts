// The time from a complete file to the first call for it, with default settings and a marker file, one file after the other.
// Also without a marker, which adds `fileSettle`.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneDealerEach } from './support/dealers.ts';
import type { Figure } from './support/figures.ts';
import { fileRows, type Scene, startScene } from './support/scene.ts';

const files = 100;
const filesWithoutMarker = 10;
const limitMs = 60_000;
const accounts = 4;

/** Drops a complete file of one PO, optionally with a marker, and measures the time until its first call. */
const timeFile = async (scene: Scene, at: number, marker: boolean): Promise<number> => {
  const account = `dealer${1 + (at % accounts)}`;
  const service = scene.services.one!;
  const name = `READY-${marker ? 'M' : 'S'}${at}`;
  const inbox = join(scene.folder, 'data', 'accounts', account, 'inbox');
  await mkdir(inbox, { recursive: true });
  const draft = join(scene.folder, `${name}.csv`);
  await writeFile(draft, fileRows(name, 1, 5));
  // A random phase relative to the scans of the inbox.
  await sleep(Math.random() * 1500);
  await service.seen();
  const path = join(inbox, `${name}.csv`);
  const marked = () => (marker ? writeFile(`${path}.done`, '') : undefined);
  await rename(draft, path);
  await marked();
  const readyAtMs = Date.now();
  const placed = await scene.untilPlaced(name, limitMs);
  if (placed.ordered !== 1) throw new Error(`${name} was not ordered in time`);
  const { firstAtMs } = await service.seen();
  return firstAtMs! - readyAtMs;
};

const summarise = (name: string, taken: readonly number[], target?: string): Figure[] => {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]! / 1000;
  return [
    { name: `${name}: median (s)`, value: at(0.5) },
    { name: `${name}: p95 (s)`, value: at(0.95), ...(target ? { target } : {}) },
    { name: `${name}: longest (s)`, value: at(1) },
  ];
};

export const run = async (): Promise<Figure[]> => {
  const { dealers, accounts: accountsAt, env } = oneDealerEach(accounts);
  const scene = await startScene({
    queue: 'postgres',
    services: { one: { poolSize: 20, dealers } },
    accounts: ({ one }) =>
      Object.fromEntries(
        // Use the defaults.
        Object.entries(accountsAt(one!)).map(([name, settings]) => [
          name,
          { ...settings, fileSettle: undefined },
        ]),
      ),
    env,
  });
  if (!scene) throw new Error('The queue on Postgres needs no other server.');
  try {
    await scene.start();
    const marked: number[] = [];
    for (let at = 0; at < files; at += 1) marked.push(await timeFile(scene, at, true));
    const settled: number[] = [];
    for (let at = 0; at < filesWithoutMarker; at += 1) settled.push(await timeFile(scene, at, false));
    return [
      ...summarise(`${files} files with a marker, ready to first call`, marked, '<= 2'),
      ...summarise(`${filesWithoutMarker} files without a marker (fileSettle first)`, settled),
    ];
  } finally {
    await scene.stop();
  }
};
