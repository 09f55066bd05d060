import type { z } from 'zod';
import type { HowItWasRead } from '../../api-contract/imports.ts';
import type { proposal, reading, UploadAnswer } from '../../api-contract/uploads.ts';
import type { Account } from '../../config/config.ts';
import { type FileMapping, mappingOfLayout, withMapping } from '../../intake/file-mapping.ts';
import { mappedReading } from '../../intake/file-reading.ts';
import type { Layout } from '../../intake/layouts/layout.ts';
import { type NearestLayout, nearestLayout } from '../../intake/layouts/nearest-layout.ts';
import { proposeNear } from '../../intake/layouts/propose/propose-near.ts';
import type { ProposedMap } from '../../intake/layouts/propose/proposed-map.ts';
import { readPurchaseFile } from '../../intake/read-purchase-file.ts';
import type { Detection } from '../../intake/types.ts';
import { inEditor } from './advice.ts';
import { surveyFile } from './survey-file.ts';

/** Maximum length of a shown cell. */
const longestSample = 200;

const short = (text: string): string =>
  text.length <= longestSample ? text : `${text.slice(0, longestSample)}…`;

export const presentDetection = (detection: Detection): HowItWasRead => ({
  format: detection.format,
  encoding: detection.encoding ?? null,
  delimiter: detection.delimiter ?? null,
  sheet: detection.sheet ?? null,
  headerRow: detection.headerRow,
  columns: detection.columns.map(({ header, field }) => ({ header: short(header), field })),
  decisions: detection.decisions.map(({ what, decided, why, override }) => ({
    what,
    decided,
    why: inEditor(why),
    override: override === undefined ? null : inEditor(override),
  })),
});

/** The combined mapping of the account's layout, the person and the file, in the form that a request accepts. */
const mappingFor = (
  layout: FileMapping,
  person: FileMapping,
  { map, settings }: Extract<ProposedMap, { kind: 'proposed' }>,
): FileMapping => {
  const columns = { ...layout.columns, ...person.columns, ...map };
  const { columns: _, ...more } = { ...layout, ...settings, ...person };
  return { ...more, ...(Object.keys(columns).length > 0 ? { columns } : {}) };
};

const presentProposal = (
  proposed: ProposedMap,
  layout: FileMapping,
  person: FileMapping,
): z.input<typeof proposal> => {
  if (proposed.kind === 'refused') return { ...proposed, message: inEditor(proposed.message) };
  const { sheet, headerRow, columns, poSource, missing, doubts, samples, decisions } = proposed;
  return {
    kind: 'proposed',
    sheet: sheet ?? null,
    headerRow,
    columns: columns.map(({ header, field, certain, why, values }) => ({
      header,
      field,
      certain,
      why: why ?? null,
      samples: values.map(short),
    })),
    mapping: mappingFor(layout, person, proposed),
    missing: missing.map((field) => ({
      field,
      why: inEditor(doubts[field] ?? 'No column was found that could hold it.'),
    })),
    poNumber: poSource ? { value: poSource.poNumber, why: poSource.why, certain: poSource.certain } : null,
    decisions: decisions.map(({ why, override, ...one }) => ({
      ...one,
      why: inEditor(why),
      override: override === undefined ? null : inEditor(override),
    })),
    samples: samples.map((sample) => ({
      ...sample,
      cells: sample.cells.map(short),
      issues: sample.issues.map(({ message, expected, ...issue }) => ({
        ...issue,
        message: inEditor(message),
        expected: expected === undefined ? undefined : inEditor(expected),
      })),
    })),
  };
};

/**
 * How a file would be read, and the data of the mapping editor; both with the person's settings over the account's or the matching
 * layout's.
 */
export const describeFile = async (
  account: Account,
  file: { path: string; fileName: string },
  person: FileMapping,
  layouts: readonly Layout[],
  signal: AbortSignal,
): Promise<Pick<UploadAnswer, 'reading' | 'proposal' | 'file'>> => {
  const request = { ...file, codeLists: account.codeLists, signal };
  const byPerson = mappedReading(account.intake, person);
  const opened = await readPurchaseFile({ ...request, ...byPerson, layouts });
  let how: z.input<typeof reading>;
  let layout: FileMapping = {};
  let similar: NearestLayout | undefined;
  if (opened.kind === 'refused') {
    // Proposed if the header differs slightly; the person confirms it.
    similar = nearestLayout(layouts, opened.header);
    how = { kind: 'refused', code: opened.code, message: inEditor(opened.message) };
  } else {
    opened.close();
    how = { kind: 'read', howItWasRead: presentDetection(opened.detection) };
    const { detection } = opened;
    const agreed = layouts.find(({ id }) => id === detection.layout?.id);
    const fits = detection.decisions.find(({ what }) => what === 'layout')?.decided;
    if (agreed) layout = agreed.settings;
    else if (fits !== undefined) layout = mappingOfLayout(account.intake, fits);
  }
  const { proposed, mapping, nearest } = await proposeNear(
    request,
    { ...(opened.kind === 'opened' ? opened.options : account.intake), layouts: {} },
    person,
    similar,
  );
  if (nearest) layout = nearest.mapping;
  return {
    reading: how,
    proposal: presentProposal(proposed, layout, person),
    file: await surveyFile(
      { ...file, signal },
      nearest ? withMapping(account.intake, mapping) : byPerson.options,
    ),
  };
};
