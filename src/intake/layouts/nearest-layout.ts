import { fieldOfHeader, headerKey } from '../columns/fields.ts';
import type { FileMapping } from '../file-mapping.ts';
import { listed, quoted } from '../quoted.ts';
import type { Layout } from './layout.ts';

/** A layout whose header is nearly that of a file, and what of it fits the file. */
export interface NearestLayout {
  name: string;
  /** Its settings, of its columns only those that the file has. */
  mapping: FileMapping;
  /** Headers of the file that the layout does not have. */
  added: string[];
  /** Headers of the layout that the file does not have. */
  missing: string[];
}

const withName = (name: string): boolean => name.trim() !== '';

/** The names of a header, folded, and which of a layout's own it shares with them. */
const sharingWith = (header: readonly string[]) => {
  const keys = new Set(header.filter(withName).map(headerKey));
  const inBoth = ({ header: own }: Pick<Layout, 'header'>) => own.filter((name) => keys.has(headerKey(name)));
  const sharesMost = (layout: Pick<Layout, 'header'>) =>
    inBoth(layout).length * 2 > Math.max(layout.header.length, keys.size);
  return { keys, inBoth, sharesMost };
};

/**
 * The layout that shares most names with the header of a file; undefined if none shares more than half of them, or only standard ones. It is a proposal: a person
 * confirms it. Layouts of joined sheets have two headers and are none. Pure.
 */
export const nearestLayout = (
  layouts: readonly Layout[],
  header: readonly string[] | undefined,
): NearestLayout | undefined => {
  const names = (header ?? []).filter(withName);
  const { keys, inBoth, sharesMost } = sharingWith(names);
  const shared = (layout: Layout) => inBoth(layout).length;
  // Standard names mean the same in every file: where nothing else is shared, nothing was agreed about this one.
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

const isDecided = (answer: string): boolean => answer !== 'seen' && answer !== 'order';

/**
 * Why a file with a header of its own waits, although all its columns are certain: it lacks a column by which a layout, of which it has
 * nearly all others, decides what is ordered, such as one whose value is left out, or says how many pieces a box has. Undefined: it lacks none. Pure.
 */
export const whyDecisionLost = (
  layouts: readonly Pick<Layout, 'kind' | 'name' | 'header' | 'known'>[],
  header: readonly string[],
): string | undefined => {
  const { keys, inBoth, sharesMost } = sharingWith(header);
  // Another kind of file may have the usual columns, too.
  const hasNearlyAll = (layout: Pick<Layout, 'header'>) =>
    layout.header.length - inBoth(layout).length <= Math.max(1, layout.header.length / 4);
  for (const layout of layouts) {
    if (layout.kind !== 'order' || !sharesMost(layout) || !hasNearlyAll(layout)) continue;
    const lost = layout.header.find((name) => {
      const answers = layout.known?.get(headerKey(name));
      return answers && !keys.has(headerKey(name)) && [...answers.values()].some(isDecided);
    });
    if (lost !== undefined)
      return `the column ${quoted(lost.trim())} is missing, by which files of the layout ${quoted(layout.name)} say what is not ordered as it is`;
  }
  return undefined;
};

const mostNamed = 3;

const list = (names: readonly string[], what: string): string[] => {
  if (names.length === 0) return [];
  const shown = names.map((name) => JSON.stringify(name.trim().slice(0, 40)));
  return [
    `${names.length === 1 ? 'the column' : 'the columns'} ${listed(shown, mostNamed)} ${names.length === 1 ? 'is' : 'are'} ${what}`,
  ];
};

/** What is different, as a sentence: `This is nearly the layout "Weekly": the column "Remark" is new.` Pure. */
export const sayDifference = ({ name, added, missing }: Omit<NearestLayout, 'mapping'>): string => {
  const different = [...list(added, 'new'), ...list(missing, 'missing')];
  return `This is nearly the layout ${JSON.stringify(name)}: ${different.join(', and ') || 'the columns are in another form'}.`;
};
