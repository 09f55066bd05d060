import { isDeepStrictEqual } from 'node:util';
import { headerKey as nameKey } from '../columns/fields.ts';
import { valuesOf } from './known-values.ts';
import type { Layout } from './layout.ts';
import { type CheckedLayout, type LayoutEntry, mostColumns } from './layout-entry.ts';
import { keyWithoutHeader } from './layout-key.ts';

/** The number of columns encoded in the key of files without a header. */
const widthOf = (key: string): number | undefined => {
  for (let width = 1; width <= mostColumns; width += 1) if (keyWithoutHeader(width) === key) return width;
  return undefined;
};

/** The columns in header order, for people who compare files; the ledger does not keep the order. */
const inHeaderOrder = ({ header, settings }: Pick<CheckedLayout, 'header' | 'settings'>) => {
  const { columns, ...more } = settings;
  if (!columns) return settings;
  const places = new Map(header.map((name, at) => [nameKey(name), at]));
  const placeOf = (name: string) => places.get(nameKey(name)) ?? header.length;
  const sorted = Object.entries(columns).sort(([a], [b]) => placeOf(a) - placeOf(b));
  return { columns: Object.fromEntries(sorted) as typeof columns, ...more };
};

/** A layout as an entry that `checkLayoutEntry` turns back into the same layout. Pure. */
export const layoutEntryOf = ({
  account,
  name,
  kind,
  header,
  headerKey,
  settings,
  known,
}: CheckedLayout): LayoutEntry => ({
  account,
  name,
  kind,
  ...(header.length === 0 ? { width: widthOf(headerKey) } : {}),
  header,
  settings: inHeaderOrder({ header, settings }),
  ...(known && known.size > 0 ? { values: valuesOf(known) } : {}),
});

/** How a layout differs from the current one of its header, in terms of its entry; empty: no difference. Pure. */
export const differencesOf = (now: Layout, next: CheckedLayout): string[] => {
  const names = Object.keys({ ...now.settings, ...next.settings }) as (keyof Layout['settings'])[];
  const known = [...(next.known ?? [])];
  const saysOther = known.some(([name, of]) => !isDeepStrictEqual(now.known?.get(name), of));
  return [
    ...(now.kind === next.kind ? [] : ['kind']),
    ...(now.name === next.name ? [] : ['name']),
    ...names.filter((name) => !isDeepStrictEqual(now.settings[name], next.settings[name])),
    ...(saysOther ? ['values'] : []),
  ];
};
