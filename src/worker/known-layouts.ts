import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { fileMappingSchema, withMapping } from '../intake/file-mapping.ts';
import type { Layout } from '../intake/layouts/layout.ts';
import { layoutName } from '../intake/layouts/layout-name.ts';
import { asLayout, isAgreed, type LayoutOfHeader } from '../intake/layouts/layout-settings.ts';
import { isOfPerson } from '../intake/layouts/layout-words.ts';
import type { SeenColumn } from '../intake/layouts/watch-columns.ts';
import { adoptEarlier, linkLayout, putKnownLayout, putSeen } from '../ledger/known-layouts.ts';

/**
 * Makes layouts of the files that an account was ordered from before there were layouts, so that none of its nightly files waits. Done
 * once for each account; idempotent.
 */
export const adoptLayouts = (
  pool: pg.Pool,
  { name, intake }: Pick<Account, 'name' | 'intake'>,
): Promise<void> =>
  adoptEarlier(pool, name, ({ detection, mapping, fileName }) => {
    const person = mapping === null ? undefined : fileMappingSchema.parse(mapping);
    const layout = asLayout(detection, person ? withMapping(intake, person) : intake);
    const { po_number: _, ...constants } = person?.constants ?? {};
    const settings = Object.keys(constants).length > 0 ? { ...layout.settings, constants } : layout.settings;
    const own = { ...layout, settings };
    return isAgreed(own)
      ? {
          ...own,
          name: layoutName(fileName),
          account: name,
          who: fileName,
          via: 'earlier import',
          kind: 'order',
        }
      : undefined;
  });

interface ReadFile {
  importId: string;
  fileName: string;
  asLayout: LayoutOfHeader;
  seen: readonly SeenColumn[];
  /** The layouts that it was read with. */
  layouts: readonly Layout[];
  /** How a person decided that this one file is read; undefined: nobody did. */
  mapping: unknown;
}

/**
 * Keeps what a file that was read shows: the settings of an account as a layout, once they read a file; and of the first file of a
 * header what its other columns say, so that only what is new later is asked about.
 */
export const rememberFile = async (
  pool: pg.Pool,
  account: string,
  { importId, fileName, asLayout: layout, seen, layouts, mapping }: ReadFile,
): Promise<void> => {
  const known = layouts.find(({ headerKey }) => headerKey === layout.headerKey);
  if (mapping === undefined && (!known || !isOfPerson(known)) && (isAgreed(layout) || seen.length > 0)) {
    const via = isAgreed(layout) ? 'configuration' : 'standard names';
    const who = isAgreed(layout) ? 'the configuration' : fileName;
    await putKnownLayout(pool, {
      ...layout,
      name: known?.name ?? layoutName(fileName),
      account,
      who,
      via,
      kind: 'order',
    });
  }
  if (!known?.known) await putSeen(pool, { account, headerKey: layout.headerKey }, seen);
  if (!known) await linkLayout(pool, importId, layout.headerKey);
};
