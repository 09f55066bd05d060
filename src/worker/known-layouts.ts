import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { fileMappingSchema, withMapping } from '../intake/file-mapping.ts';
import { layoutName } from '../intake/layouts/layout-name.ts';
import { asLayout, isAgreed, type LayoutOfHeader } from '../intake/layouts/layout-settings.ts';
import { adoptEarlier, putKnownLayout } from '../ledger/known-layouts.ts';

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

/** Shows the settings of an account as a layout, once a file was read by them. Files with standard names need none. */
export const rememberLayout = async (
  pool: pg.Pool,
  account: string,
  layout: LayoutOfHeader,
  fileName: string,
): Promise<void> => {
  if (!isAgreed(layout)) return;
  const who = 'the configuration';
  const name = layoutName(fileName);
  await putKnownLayout(pool, { ...layout, name, account, who, via: 'configuration', kind: 'order' });
};
