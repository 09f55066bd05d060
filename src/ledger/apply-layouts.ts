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
  /** For a changed layout: how it differs from the previous version. */
  differs: string[];
  /** Undefined if the layout is not in the ledger: a dry run saves nothing. */
  id: string | undefined;
  version: number | undefined;
  /** Waiting files with its header. */
  waiting: number;
}

/** Counts the account's waiting files with this header. */
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
  // A file that waits although its header is known was refused for another reason, or before its layout existed.
  if (about.dryRun || (change === 'same' && about.importId === undefined))
    return {
      applied: { ...applied, id: now?.id, version: change === 'same' ? now?.version : undefined },
      imports: [],
    };
  const { importId } = about;
  // Same lock order as reading a file: POs first, then layouts.
  if (one.known) await replaceValues(client, { account, headerKey, known: one.known }, by);
  const { layout, imports } = await agreeLayout(
    client,
    { ...one, ...by },
    importId === undefined ? {} : { importId },
  );
  return { applied: { ...applied, id: layout.id, version: layout.version }, imports };
};

/**
 * Makes these layouts the current ones of their headers, all or none: adds a version where one differs, and does nothing where it is the
 * same. Files that wait for a changed layout are read.
 *
 * @param options.dryRun only reports what would change
 * @param options.importId the waiting file that the layout was made from
 * @returns what changed, in the order of the layouts; and the imports that have no job yet
 */
export const applyLayouts = async (
  pool: pg.Pool,
  layouts: readonly CheckedLayout[],
  by: Actor,
  { dryRun = false, importId }: { dryRun?: boolean; importId?: string | undefined } = {},
): Promise<{ applied: AppliedLayout[]; imports: UnreadImport[] }> => {
  const keyOf = ({ account, headerKey }: CheckedLayout) => `${account} ${headerKey}`;
  // Same order in every process: each layout takes a lock, so another order could deadlock.
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
