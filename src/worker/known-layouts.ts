import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { fileMappingSchema, withMapping } from '../intake/file-mapping.ts';
import type { Layout } from '../intake/layouts/layout.ts';
import { layoutName } from '../intake/layouts/layout-name.ts';
import { asLayout, isAgreed, type LayoutOfHeader } from '../intake/layouts/layout-settings.ts';
import { isOfPerson } from '../intake/layouts/layout-words.ts';
import type { SeenColumn } from '../intake/layouts/seen-column.ts';
import { knowsForms, poNumbers } from '../intake/layouts/shapes.ts';
import { isLookedAt, isOther } from '../intake/layouts/watch-others.ts';
import { adoptEarlier, type Remembered } from '../ledger/known-layouts.ts';

/**
 * Makes layouts of the files that an account was ordered from before there were layouts, so that none of its nightly files waits. Done
 * once for each account; idempotent.
 */
export const adoptLayouts = (
  pool: pg.Pool,
  { name: account, intake }: Pick<Account, 'name' | 'intake'>,
): Promise<void> =>
  adoptEarlier(pool, account, ({ detection, mapping: stored, fileName }) => {
    // Of another version: its files wait then.
    const { data: mapping } = fileMappingSchema.safeParse(stored ?? {});
    if (!mapping) return undefined;
    const layout = asLayout(detection, withMapping(intake, mapping), mapping);
    const name = layoutName(fileName);
    return { ...layout, name, account, who: fileName, via: 'earlier import', kind: 'order' };
  });

interface ReadFile {
  fileName: string;
  asLayout: LayoutOfHeader;
  seen: readonly SeenColumn[];
  /** The layouts of the account when it was read. */
  layouts: readonly Layout[];
  /** A person decided how this one file is read. */
  isMapped: boolean;
  /** The header of the file whose corrected rows it has, which has left everything already. */
  headerKey?: string;
}

/**
 * What a file that was read leaves in the ledger: the settings of its account as a layout, if they read it; and of the first file of a
 * header what its other columns say, so that only what is new later is asked about. Pure.
 */
export const whatToRemember = (
  account: string,
  { fileName, asLayout: layout, seen, layouts, isMapped, headerKey }: ReadFile,
): Remembered => {
  if (headerKey !== undefined) return { account, headerKey, seen: [], layout: undefined };
  const known = layouts.find(({ headerKey }) => headerKey === layout.headerKey);
  const isOwn = isAgreed(layout);
  const isNeeded = !isMapped && (!known || !isOfPerson(known));
  // Who wrote a layout named the values of some columns at most, and an earlier version did not watch what files have besides their lines.
  // A first file with a single PO does not show how its numbers are written.
  const isNew = ({ column }: SeenColumn) =>
    isMapped ||
    !known?.known ||
    ((isOther(column) || !isLookedAt(known.known)) && !known.known.has(column)) ||
    (column === poNumbers && !knowsForms(known.known.get(column)));
  return {
    account,
    headerKey: layout.headerKey,
    seen: isMapped || isNeeded || known ? seen.filter(isNew) : [],
    layout: isNeeded
      ? {
          ...layout,
          account,
          name: known?.name ?? layoutName(fileName),
          who: isOwn ? 'the configuration' : fileName,
          via: isOwn ? 'configuration' : 'standard names',
          kind: 'order',
        }
      : undefined,
  };
};
