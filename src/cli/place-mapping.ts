import type { ProposedMap, ProposedSettings } from '../intake/columns/proposed-map.ts';
import type { IntakeOptions } from '../intake/options.ts';

/** Values for one section below the settings of an account. */
export interface PlacedSettings {
  below: string[];
  values: Record<string, unknown>;
}

const ofLayout = [
  'header',
  'headerRows',
  'poNumberFrom',
  'decimal',
  'continuationRows',
] as const satisfies readonly (keyof ProposedSettings)[];

const freeName = (taken: Readonly<Record<string, unknown>>): string => {
  const names = ['without-header', ...Object.keys(taken).map((_, at) => `without-header-${at + 2}`)];
  return names.find((name) => !Object.hasOwn(taken, name))!;
};

/**
 * Where the settings of a proposal belong in the account. A file without a header gets a layout of its own if the account has columns
 * or layouts for other files: `header: none` in the account would read all of them by position. Pure.
 */
export const placeMapping = (
  { header, columns, layouts }: Pick<IntakeOptions, 'header' | 'columns' | 'layouts'>,
  map: Extract<ProposedMap, { kind: 'proposed' }>['map'],
  settings: ProposedSettings,
): { layout: string | undefined; sections: PlacedSettings[] } => {
  const hasOthers = Object.keys(columns).length > 0 || Object.keys(layouts).length > 0;
  const needsLayout =
    settings.header === 'none' && header !== 'none' && hasOthers && Object.keys(map).length > 0;
  const layout = needsLayout ? freeName(layouts) : undefined;
  const own = layout === undefined ? ['intake'] : ['intake', 'layouts', layout];
  const isOwn = (name: string) => layout !== undefined && (ofLayout as readonly string[]).includes(name);
  const given = Object.entries(settings);
  return {
    layout,
    sections: [
      { below: [...own, 'columns'], values: map },
      {
        below: own,
        values: Object.fromEntries(given.filter(([name]) => layout === undefined || isOwn(name))),
      },
      {
        below: ['intake'],
        values: Object.fromEntries(given.filter(([name]) => layout !== undefined && !isOwn(name))),
      },
    ].filter(({ values }) => Object.keys(values).length > 0),
  };
};

/** The sections as one object, as they stand in the configuration below the account. Pure. */
export const asTree = (sections: readonly PlacedSettings[]): Record<string, unknown> => {
  const tree: Record<string, unknown> = {};
  for (const { below, values } of sections) {
    let at = tree;
    for (const key of below) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    Object.assign(at, values);
  }
  return tree;
};
