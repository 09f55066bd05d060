import type { Account } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { sayField } from '../intake/columns/field-words.ts';
import { isRequired } from '../intake/columns/fields.ts';
import type { SaidByFile } from '../intake/layout-of-mapping.ts';
import { sayNews } from '../intake/layouts/news.ts';
import type { Proposed } from '../intake/layouts/propose/proposed-map.ts';
import { whyNotWhole } from '../intake/layouts/whole-address.ts';
import { readPurchaseFile } from '../intake/read-purchase-file.ts';
import { type Ask, askYes } from './ask-person.ts';
import type { ExitCode } from './exit-codes.ts';
import { howToMap } from './output/proposal.ts';

const doubtful = ({ columns }: Proposed) =>
  columns
    .filter(({ field, certain }) => isRequired(field) && !certain)
    .map(({ header, field }) => ({ header, field }));

/** Proposed settings that also affect orders of later files. */
const proposedSettings = {
  continuationRows: {
    question: 'Does a row without a PO number belong to the PO above it?',
    probably: 'rows without a PO number only probably belong to the PO above',
  },
  itemInBrackets: {
    question: 'Is the number in brackets the item, as A1-X in “[A1-X] Desk”?',
    probably: 'the numbers in brackets are only probably the items',
  },
} as const;
type ProposedSetting = keyof typeof proposedSettings;

/** The proposed settings that nobody has decided about. */
export const unsaidSettings = (
  { settings }: Proposed,
  agreed: Partial<Record<ProposedSetting, boolean>>,
): ProposedSetting[] =>
  (Object.keys(proposedSettings) as ProposedSetting[]).filter(
    (one) => settings[one] === true && agreed[one] === undefined,
  );

/** Asks a person about these settings. */
export const askSettings = async (
  ask: Ask,
  unsaid: readonly ProposedSetting[],
): Promise<Partial<Record<ProposedSetting, boolean>>> => {
  const said: Partial<Record<ProposedSetting, boolean>> = {};
  for (const one of unsaid) said[one] = await askYes(ask, proposedSettings[one].question);
  return said;
};

/** The map without entries that need a person's confirmation. */
export const certainMap = ({ columns, map }: Proposed): Proposed['map'] => {
  const unsure = new Set(columns.filter(({ certain }) => !certain).map(({ header }) => header));
  return Object.fromEntries(Object.entries(map).filter(([header]) => !unsure.has(header)));
};

/**
 * @param by.asks a person sees and confirms the lines, and with them the source of the PO number
 * @param by.unsaid proposed settings about rows and items that nobody has decided about
 */
export const assertCertain = (
  proposed: Proposed,
  account: string,
  { asks, unsaid }: { asks: boolean; unsaid: readonly ProposedSetting[] },
): void => {
  const unsure = doubtful(proposed);
  const unsureSource = proposed.poSource?.certain === false && !asks ? [proposed.poSource] : [];
  const [first, ...others] = asks ? [] : unsaid;
  if (proposed.missing.length === 0 && unsure.length === 0 && unsureSource.length === 0 && !first) return;
  const reasons = [
    ...unsure.map(({ header, field }) => `"${header}" is only probably the ${sayField(field!)}`),
    ...unsureSource.map(({ why }) => `the PO number is only probably ${why}`),
    ...(first ? [first, ...others].map((one) => proposedSettings[one].probably) : []),
    ...proposed.missing.map(
      (field) => `no column was found for the ${sayField(field)} (${proposed.doubts[field]})`,
    ),
  ];
  const [example] = unsure;
  const [absent] = proposed.missing;
  const setting = example
    ? howToMap(example.header, example.field!, account)
    : absent
      ? howToMap(proposed.candidates[absent]?.[0], absent, account)
      : first
        ? `give --set ${first}=true, or =false`
        : `set accounts.${account}.intake.poNumberFrom: ${JSON.stringify(proposed.poSource?.from)}`;
  const ask = asks
    ? 'Run the command again and choose a column'
    : 'Run the command on a terminal, without --yes, to be asked';
  throw new UserError(
    'mapping_uncertain',
    `Nothing was written, because ${reasons.join(', and ')}. ${ask}, or ${setting}.`,
  );
};

/**
 * Refuses if a person would have to be asked about an ignored column or about an address without a name.
 *
 * @param options the columns that a person has mapped, and the account's constants
 * @throws UserError `mapping_uncertain`
 */
export const assertNothingUnsaid = (
  proposed: Proposed,
  { news, unsaid }: Pick<SaidByFile, 'news' | 'unsaid'>,
  options: Parameters<typeof whyNotWhole>[1],
): void => {
  const noName = whyNotWhole(
    proposed.columns.filter(({ certain }) => certain),
    options,
  );
  const all = [...(noName === undefined ? [] : [noName]), ...news];
  if (all.length + unsaid.length === 0) return;
  throw new UserError(
    'mapping_uncertain',
    `Nothing was written. ${sayNews(all, unsaid, undefined)} Run the command on a terminal, without --yes, to say what to do with such rows, or open the file in the console.`,
  );
};

/** Whether the account's present settings read the file. */
export const isRead = async (
  { intake }: Account,
  file: { path: string; fileName: string },
): Promise<boolean> => {
  const opened = await readPurchaseFile({ ...file, options: intake });
  if (opened.kind === 'opened') opened.close();
  return opened.kind === 'opened';
};

/** The exit code, by whether all required fields are certain. */
export const exitOf = (proposed: Proposed): ExitCode =>
  proposed.missing.length === 0 && doubtful(proposed).length === 0 && (proposed.poSource?.certain ?? true)
    ? 'fine'
    : 'notAllDone';
