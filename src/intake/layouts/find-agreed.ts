import { FileRefused } from '../../errors.ts';
import { joinTables } from '../joined-tables.ts';
import type { IntakeOptions } from '../options.ts';
import type { TableSource } from '../types.ts';
import type { Layout } from './layout.ts';
import { optionsOfLayout } from './layout-settings.ts';
import { type MatchedLayout, matchLayout } from './match-layout.ts';

/** What decides how a file is split into tables, before its headers can be looked at. */
const openingOf = ({ delimiter, encoding, join }: IntakeOptions): string =>
  JSON.stringify([delimiter ?? null, encoding ?? null, join ?? null]);

/** The tables whose headers are looked at: with a join, the joined one. */
const joinedTables = async (source: TableSource, { join }: IntakeOptions) =>
  join === undefined ? source.tables : (await joinTables(source, { join })).tables;

/**
 * Looks for the layout that a file belongs to. A layout with a separator, an encoding or a join of its own is looked for in the file as it
 * is with them.
 *
 * @param open opens the file with these settings
 * @returns the layout and the open file; undefined if the file belongs to none, or cannot be opened
 */
export const findAgreed = async <F extends { options: IntakeOptions }>(
  file: F,
  layouts: readonly Layout[],
  open: (file: F) => Promise<TableSource>,
): Promise<(MatchedLayout & { source: TableSource }) | undefined> => {
  const account = file.options;
  const openings = new Map<string, { options: IntakeOptions; layouts: Layout[] }>();
  for (const layout of layouts) {
    const options = optionsOfLayout(account, layout.settings);
    const opening = openings.get(openingOf(options)) ?? { options, layouts: [] };
    opening.layouts.push(layout);
    openings.set(openingOf(options), opening);
  }
  for (const opening of openings.values()) {
    try {
      const source = await open({ ...file, options: opening.options });
      const matched = matchLayout(await joinedTables(source, opening.options), opening.layouts, account);
      if (matched && opening.options.join === undefined) return { ...matched, source };
      source.close();
      // The rows of its orders were read to see the columns, and rows can be read once.
      if (matched) return { ...matched, source: await open({ ...file, options: opening.options }) };
    } catch (error) {
      // It may fit in another way; where it does in none, opening it as the account reads files says why.
      if (!(error instanceof FileRefused)) throw error;
    }
  }
  return undefined;
};
