import type { Proposed, ProposedSettings } from '../intake/columns/proposed-map.ts';
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

const freeName = (name: string, taken: Readonly<Record<string, unknown>>): string => {
  const names = [name, ...Object.keys(taken).map((_, at) => `${name}-${at + 2}`)];
  return names.find((one) => !Object.hasOwn(taken, one))!;
};

/** What a layout is called whose settings the account must not have: they would change how all its other files are read. */
const kindOf = (settings: ProposedSettings, account: Pick<IntakeOptions, 'header' | 'headerRows'>) =>
  settings.header === 'none' && account.header !== 'none'
    ? 'without-header'
    : settings.headerRows === 2 && account.headerRows !== 2
      ? 'two-row-header'
      : undefined;

/**
 * Where the settings of a proposal belong in the account. A file without a header, or with one of two rows, gets a layout of its own, so
 * that other files are read as before. Pure.
 */
export const placeMapping = (
  account: Pick<IntakeOptions, 'header' | 'headerRows' | 'layouts'>,
  map: Proposed['map'],
  { columns, settings }: Pick<Proposed, 'columns' | 'settings'>,
): { layout: string | undefined; sections: PlacedSettings[] } => {
  const kind = kindOf(settings, account);
  // A layout is found by its columns, so it names also those that are recognised.
  const recognised = columns.flatMap(({ header, field, certain }) =>
    field === null || !certain ? [] : [[header, field] as const],
  );
  const named = { ...Object.fromEntries(kind === undefined ? [] : recognised), ...map };
  const layout =
    kind === undefined || Object.keys(named).length === 0 ? undefined : freeName(kind, account.layouts);
  const own = layout === undefined ? ['intake'] : ['intake', 'layouts', layout];
  const isOwn = (name: string) => layout !== undefined && (ofLayout as readonly string[]).includes(name);
  const given = Object.entries(settings);
  return {
    layout,
    sections: [
      { below: [...own, 'columns'], values: layout === undefined ? map : named },
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
