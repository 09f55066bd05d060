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
 * Creates layouts from the files of an account that were ordered before layouts existed, so that its nightly files do not wait. Done once
 * for each account; idempotent.
 */
export const adoptLayouts = (
  pool: pg.Pool,
  { name: account, intake }: Pick<Account, 'name' | 'intake'>,
): Promise<void> =>
  adoptEarlier(pool, account, ({ detection, mapping: stored, fileName }) => {
    // Written by another version: such files wait.
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
  /** The account's layouts when the file was read. */
  layouts: readonly Layout[];
  /** A person chose the mapping for this one file. */
  isMapped: boolean;
  /** Set for a file of corrected rows: the header of the original file, which is already remembered. */
  headerKey?: string;
}

/**
 * What the ledger remembers of a file: a layout from the account's settings, if these read the file; and, for the first file of a header,
 * the values of its other columns, so that later files raise questions only about new ones. Pure.
 */
export const whatToRemember = (
  account: string,
  { fileName, asLayout: layout, seen, layouts, isMapped, headerKey }: ReadFile,
): Remembered => {
  if (headerKey !== undefined) return { account, headerKey, seen: [], layout: undefined };
  const known = layouts.find(({ headerKey }) => headerKey === layout.headerKey);
  const isOwn = isAgreed(layout);
  const isNeeded = !isMapped && (!known || !isOfPerson(known));
  // A hand-written layout has values for few columns, and an earlier version did not watch what files have besides their lines.
  // A first file with a single PO does not show the format of its numbers.
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
