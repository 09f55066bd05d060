import { isDeepStrictEqual } from 'node:util';
import { headerKey as nameKey } from '../columns/fields.ts';
import { valuesOf } from './known-values.ts';
import type { Layout } from './layout.ts';
import { type CheckedLayout, type LayoutEntry, mostColumns } from './layout-entry.ts';
import { keyWithoutHeader } from './layout-key.ts';

/** The number of columns that the key of files without a header was made of. */
const widthOf = (key: string): number | undefined => {
  for (let width = 1; width <= mostColumns; width += 1) if (keyWithoutHeader(width) === key) return width;
  return undefined;
};

/** The columns in the order of the header, for people who compare files; the ledger keeps no order. */
const inHeaderOrder = ({ header, settings }: Pick<CheckedLayout, 'header' | 'settings'>) => {
  const { columns, ...more } = settings;
  if (!columns) return settings;
  const places = new Map(header.map((name, at) => [nameKey(name), at]));
  const placeOf = (name: string) => places.get(nameKey(name)) ?? header.length;
  const sorted = Object.entries(columns).sort(([a], [b]) => placeOf(a) - placeOf(b));
  return { columns: Object.fromEntries(sorted) as typeof columns, ...more };
};

/** A layout in the form that `checkLayoutEntry` reads: it gives the same layout again. Pure. */
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

/** In what a layout differs from the one that counts now for its header, in the words of its entry; empty: it is the same. Pure. */
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
