import type pg from 'pg';
import type { UnreadImport } from '../intake/inbox/import-register.ts';
import { differencesOf } from '../intake/layouts/entry-of-layout.ts';
import type { CheckedLayout } from '../intake/layouts/layout-entry.ts';
import { noteChange } from './changes.ts';
import type { Actor } from './console/activity.ts';
import { replaceValues } from './known-layouts.ts';
import { agreeLayout, listLayouts } from './layouts.ts';
import { onlyValue } from './query.ts';
import { inTransaction } from './transaction.ts';

/** What applying a layout changed, or would change. */
export interface AppliedLayout {
  account: string;
  name: string;
  change: 'new' | 'changed' | 'same';
  /** Of a changed one: in what it differs from the version before. */
  differs: string[];
  /** Undefined for a layout that is not in the ledger, because nothing was to be saved. */
  id: string | undefined;
  version: number | undefined;
  /** Files with its header that wait. */
  waiting: number;
}

/** How many files of an account with this header wait for somebody to say what they mean. */
const countWaiting = (
  client: Pick<pg.Pool, 'query'>,
  { account, headerKey }: { account: string; headerKey: string },
): Promise<number> =>
  onlyValue(
    client,
    `select count(*)::int as n from imports where state = 'waiting' and account = $1 and waiting_key = $2`,
    [account, headerKey],
  );

const apply = async (
  client: pg.PoolClient,
  one: CheckedLayout,
  by: Actor,
  about: { dryRun: boolean; importId?: string | undefined },
): Promise<{ applied: AppliedLayout; imports: UnreadImport[] }> => {
  const { account, name, headerKey } = one;
  const now = (await listLayouts(client, account)).find((layout) => layout.headerKey === headerKey);
  const differs = now ? differencesOf(now, one) : [];
  const change = !now ? 'new' : differs.length > 0 ? 'changed' : 'same';
  const waiting = await countWaiting(client, one);
  const applied = { account, name, change, differs, waiting } as const;
  // A file that waits although its header is known was refused for another reason, or before its layout was made.
  if (about.dryRun || (change === 'same' && about.importId === undefined))
    return {
      applied: { ...applied, id: now?.id, version: change === 'same' ? now?.version : undefined },
      imports: [],
    };
  const { importId } = about;
  // The lock of the POs before that of the layouts, as a file takes them that is read.
  if (one.known) await replaceValues(client, { account, headerKey, known: one.known }, by);
  const { layout, imports } = await agreeLayout(
    client,
    { ...one, ...by },
    importId === undefined ? {} : { importId },
  );
  return { applied: { ...applied, id: layout.id, version: layout.version }, imports };
};

/**
 * Makes these layouts the ones that count for their headers, all or none of them: a new version where one differs, and nothing where it
 * is the same. Files that wait for one that changed are read.
 *
 * @param options.dryRun only says what would change
 * @param options.importId the file that waits, from which the layout was made
 * @returns what changed, in the order of the layouts; and the imports that have no job yet
 */
export const applyLayouts = async (
  pool: pg.Pool,
  layouts: readonly CheckedLayout[],
  by: Actor,
  { dryRun = false, importId }: { dryRun?: boolean; importId?: string | undefined } = {},
): Promise<{ applied: AppliedLayout[]; imports: UnreadImport[] }> => {
  const keyOf = ({ account, headerKey }: CheckedLayout) => `${account} ${headerKey}`;
  // In the same order in every process: each takes a lock, and two processes must not wait for each other.
  const ordered = layouts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const done = await inTransaction(pool, { snapshot: dryRun }, async (client) => {
    const results = new Map<CheckedLayout, Awaited<ReturnType<typeof apply>>>();
    for (const one of ordered) results.set(one, await apply(client, one, by, { dryRun, importId }));
    return layouts.map((one) => results.get(one)!);
  });
  const applied = done.map((one) => one.applied);
  const imports = done.flatMap((one) => one.imports);
  const changed = new Set(applied.flatMap(({ account, change }) => (change === 'same' ? [] : account)));
  if (!dryRun)
    for (const account of changed)
      noteChange(pool, { topics: ['imports', 'purchase-orders', 'activity'], account, importId });
  return { applied, imports };
};
