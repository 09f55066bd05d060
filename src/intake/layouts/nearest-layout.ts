import { type FieldName, fieldOfHeader, headerKey, requiredInFile } from '../columns/fields.ts';
import type { FileMapping } from '../file-mapping.ts';
import { listed, quoted } from '../quoted.ts';
import type { DetectedColumn } from '../types.ts';
import { type Layout, madeByProgram } from './layout.ts';

/** A layout whose header is nearly that of a file, with the part that fits. */
export interface NearestLayout {
  name: string;
  /** Its settings, with only the columns that the file has. */
  mapping: FileMapping;
  /** Headers of the file that the layout does not have. */
  added: string[];
  /** Headers of the layout that the file does not have. */
  missing: string[];
}

const withName = (name: string): boolean => name.trim() !== '';

/** The normalized names of a header, and those that it shares with a layout. */
const sharingWith = (header: readonly string[]) => {
  const keys = new Set(header.filter(withName).map(headerKey));
  const inBoth = ({ header: own }: Pick<Layout, 'header'>) => own.filter((name) => keys.has(headerKey(name)));
  const sharesMost = (layout: Pick<Layout, 'header'>) =>
    inBoth(layout).length * 2 > Math.max(layout.header.length, keys.size);
  return { keys, inBoth, sharesMost };
};

/**
 * The layout that shares most names with the header of a file; undefined if none shares more than half of them, or only standard ones. Only
 * a proposal, which a person confirms. Excludes layouts of joined sheets, which have two headers. Pure.
 */
export const nearestLayout = (
  layouts: readonly Layout[],
  header: readonly string[] | undefined,
): NearestLayout | undefined => {
  const names = (header ?? []).filter(withName);
  const { keys, inBoth, sharesMost } = sharingWith(names);
  const shared = (layout: Layout) => inBoth(layout).length;
  // Standard names mean the same in every file; sharing only those says nothing about this file.
  const says = (layout: Layout) => inBoth(layout).some((name) => fieldOfHeader(name) === undefined);
  const [nearest] = layouts
    .filter(
      (layout) =>
        layout.kind === 'order' && layout.settings.join === undefined && says(layout) && sharesMost(layout),
    )
    .sort((one, other) => shared(other) - shared(one));
  if (!nearest) return undefined;
  const own = new Set(nearest.header.map(headerKey));
  const { columns = {}, sheet: _, ...settings } = nearest.settings;
  const fitting = Object.entries(columns).filter(([name]) => keys.has(headerKey(name)));
  return {
    name: nearest.name,
    mapping: { ...settings, columns: Object.fromEntries(fitting) },
    added: names.filter((name) => !own.has(headerKey(name))),
    missing: nearest.header.filter((name) => withName(name) && !keys.has(headerKey(name))),
  };
};

const mostNamed = 3;

const list = (names: readonly string[], what: string): string[] => {
  if (names.length === 0) return [];
  const shown = names.map((name) => JSON.stringify(name.trim().slice(0, 40)));
  return [
    `${names.length === 1 ? 'the column' : 'the columns'} ${listed(shown, mostNamed)} ${names.length === 1 ? 'is' : 'are'} ${what}`,
  ];
};

const isDecided = (answer: string): boolean => answer !== 'seen' && answer !== 'order';

type AgreedColumns = Pick<Layout, 'kind' | 'name' | 'header' | 'known' | 'settings' | 'via'>;

const namingFields: readonly FieldName[] = requiredInFile.flat();

/** The columns that a layout reads or watches but the file lacks; undefined: the file is of another kind. */
const columnsLost = (
  layout: AgreedColumns,
  { keys, sharesMost }: ReturnType<typeof sharingWith>,
  fields: ReadonlySet<FieldName | null>,
): string[] | undefined => {
  const own = Object.entries(layout.settings.columns ?? {});
  const agreed = new Map(own.map(([name, field]) => [headerKey(name), field]));
  const fieldOf = (name: string) => agreed.get(headerKey(name)) ?? fieldOfHeader(name) ?? 'ignore';
  const naming = layout.header.filter((name) => namingFields.some((field) => field === fieldOf(name)));
  const named = naming.filter((name) => keys.has(headerKey(name)));
  // Another kind of file may also have one of the usual names.
  if (!sharesMost(layout) && named.length < Math.min(2, naming.length)) return undefined;
  // The configuration does not say which files have its columns.
  const byPerson = !madeByProgram.some((via) => via === layout.via);
  return layout.header.filter((name) => {
    if (!withName(name) || keys.has(headerKey(name)) || naming.includes(name)) return false;
    const field = fieldOf(name);
    const answers = [...(layout.known?.get(headerKey(name))?.values() ?? [])];
    const counts = field === 'ignore' ? answers.length > 0 : !fields.has(field);
    return answers.some(isDecided) || (byPerson && counts);
  });
};

/**
 * Why a file with a new header waits although all its columns are certain: it shares the identifying columns, or most columns, with a
 * layout that a person agreed to, but lacks others that the layout reads or watches. Of several such layouts, those that share most names
 * count. Undefined: it lacks none. Pure.
 */
export const whyColumnsLost = (
  layouts: readonly AgreedColumns[],
  header: readonly string[],
  columns: readonly Pick<DetectedColumn, 'field'>[],
): string | undefined => {
  const sharing = sharingWith(header);
  const fields = new Set(columns.map(({ field }) => field));
  const alike = layouts.flatMap((layout) => {
    const lost = layout.kind === 'order' ? columnsLost(layout, sharing, fields) : undefined;
    return lost ? [{ layout, lost, shared: sharing.inBoth(layout).length }] : [];
  });
  const most = Math.max(...alike.map(({ shared }) => shared));
  const nearest = alike.filter(({ shared }) => shared === most);
  const [first] = nearest;
  return first && nearest.every(({ lost }) => lost.length > 0)
    ? `${list(first.lost, 'missing').join()}, which files of the layout ${quoted(first.layout.name)} have`
    : undefined;
};

/** The difference as a sentence: `This is nearly the layout "Weekly": the column "Remark" is new.` Pure. */
export const sayDifference = ({ name, added, missing }: Omit<NearestLayout, 'mapping'>): string => {
  const different = [...list(added, 'new'), ...list(missing, 'missing')];
  return `This is nearly the layout ${JSON.stringify(name)}: ${different.join(', and ') || 'the columns are in another form'}.`;
};
