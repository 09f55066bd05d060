// Scores the proposal of `cartwright map` for a file by the labels of test/fixtures/order-exports (see its README).
import { readFile } from 'node:fs/promises';
import { specCodeLists } from '../../src/contract/carts.ts';
import { proposeMap } from '../../src/intake/layouts/propose/propose-map.ts';
import type { ProposedMap } from '../../src/intake/layouts/propose/proposed-map.ts';
import { defaultIntakeOptions } from '../../test/support/default-intake-options.ts';

interface ExpectedLine {
  row: number;
  po: string;
  sku: string;
  quantity: number;
  price?: number;
}

export interface Label {
  file: string;
  kind: 'real' | 'header real, rows invented' | 'header from memory, rows invented';
  difficulty: string;
  headerRow: number;
  mapping: Record<string, string>;
  poNumberFrom?: string;
  alsoHeaders?: Record<string, string>;
  expect: ExpectedLine[] | { refuse: string; fields: string[] };
}

export interface Score {
  file: string;
  kind: Label['kind'];
  difficulty: string;
  /** Whether a correct mapping exists. */
  mappable: boolean;
  result: 'right' | 'miss' | 'harmful' | 'refused';
  reasons: string[];
}

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const vital = new Set(['po_number', 'item_sku', 'item_id', 'quantity']);

/** The columns of a proposal, with the fields that each may have. Pure. */
export const labelOf = (label: Label, columns: Proposed['columns']) => {
  const labels = new Map(Object.entries({ ...label.alsoHeaders, ...label.mapping }));
  const times = new Map<string, number>();
  return columns.map(({ header, field }) => {
    const time = (times.get(header) ?? 0) + 1;
    times.set(header, time);
    const full = time === 1 ? header : `${header}#${time}`;
    // The name of a two-row header contains both rows, but the label only the lower one.
    const lower = [...labels.keys()].find((one) => full.endsWith(` ${one}`));
    const name = labels.has(full) ? full : (lower ?? full);
    return { header, field, name, allowed: (labels.get(name) ?? 'ignore').split('|') };
  });
};

const scoreColumns = (label: Label, { columns }: Proposed, harmful: string[], missed: string[]) => {
  const seen = new Set<string>();
  for (const { name, field, allowed } of labelOf(label, columns)) {
    seen.add(name);
    const given = field ?? 'ignore';
    if (allowed.includes(given)) continue;
    if (vital.has(given)) harmful.push(`"${name}" is no ${given}`);
    else if (!allowed.includes('ignore')) missed.push(`"${name}" is ${allowed.join(' or ')}, not ${given}`);
  }
  for (const [name, allowed] of Object.entries(label.mapping)) {
    if (!seen.has(name) && !allowed.split('|').includes('ignore')) missed.push(`"${name}" was not seen`);
  }
};

const scoreLines = (
  expected: ExpectedLine[],
  { columns, samples }: Proposed,
  harmful: string[],
  missed: string[],
) => {
  const last = expected.at(-1)!.row;
  const priced = columns.some(({ field }) => field === 'expected_price');
  for (const { rowNumber, cart, item } of samples) {
    const line = expected.find(({ row }) => row === rowNumber);
    const sku = item.item_sku ?? item.item_id;
    if (!line) {
      if (rowNumber <= last && (sku !== undefined || item.quantity !== undefined))
        harmful.push(`row ${rowNumber} is no line`);
      continue;
    }
    const compare = (what: string, given: unknown, right: string | number) => {
      if (given === undefined) missed.push(`row ${rowNumber} has no ${what}`);
      else if (String(given) !== String(right))
        harmful.push(`row ${rowNumber}: ${what} ${given}, not ${right}`);
    };
    compare('po', cart.po_number, line.po);
    compare('sku', sku, line.sku);
    compare('quantity', item.quantity, line.quantity);
    if (line.price !== undefined && priced && Number(item.expected_price) !== line.price)
      missed.push(`row ${rowNumber}: price ${item.expected_price}, not ${line.price}`);
  }
  for (const { row } of expected) {
    if (!samples.some(({ rowNumber }) => rowNumber === row)) missed.push(`row ${row} is not shown`);
  }
};

/** The score of one proposal. Pure. */
const scoreProposal = (label: Label, proposed: ProposedMap): Score => {
  const { file, kind, difficulty, expect } = label;
  const mappable = Array.isArray(expect);
  const score = (result: Score['result'], reasons: string[]) => ({
    file,
    kind,
    difficulty,
    mappable,
    result,
    reasons,
  });
  if (proposed.kind === 'refused') return score(mappable ? 'refused' : 'right', [proposed.message]);
  const harmful: string[] = [];
  const missed: string[] = [];
  scoreColumns(label, proposed, harmful, missed);
  if (mappable) scoreLines(expect, proposed, harmful, missed);
  else {
    const lacking = new Set(
      expect.fields.flatMap((field) => (field === 'item_sku' ? [field, 'item_id'] : field)),
    );
    for (const { header, field } of proposed.columns)
      if (field !== null && lacking.has(field)) harmful.push(`"${header}" is proposed for ${field}`);
    missed.length = 0;
  }
  if (harmful.length > 0) return score('harmful', harmful);
  return missed.length > 0 ? score('miss', missed) : score('right', []);
};

export const labelsIn = async (folder: URL): Promise<Label[]> =>
  JSON.parse(await readFile(new URL('LABELS.json', folder), 'utf8'));

export const pathOf = (folder: URL, file: string): string =>
  decodeURIComponent(new URL(encodeURIComponent(file), folder).pathname);

/** Scores every labelled file of a folder. */
export const scoreFolder = async (folder: URL): Promise<Score[]> => {
  const scores: Score[] = [];
  for (const label of await labelsIn(folder)) {
    const proposed = await proposeMap({
      path: pathOf(folder, label.file),
      fileName: label.file,
      options: defaultIntakeOptions,
      codeLists: specCodeLists,
    });
    scores.push(scoreProposal(label, proposed));
  }
  return scores;
};
