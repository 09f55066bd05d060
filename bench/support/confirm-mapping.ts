// The corrections that a person who knows a file makes to its proposal before the file is ordered, and the resulting reading.
import { specCodeLists } from '../../src/contract/carts.ts';
import { type FieldName, isRequired } from '../../src/intake/columns/fields.ts';
import { type FileMapping, withMapping } from '../../src/intake/file-mapping.ts';
import { importPurchaseFile } from '../../src/intake/import-purchase-file.ts';
import type { DecidedValue } from '../../src/intake/layouts/known-values.ts';
import { proposeMap } from '../../src/intake/layouts/propose/propose-map.ts';
import type { ProposedMap } from '../../src/intake/layouts/propose/proposed-map.ts';
import type { CheckedRow, RowIssue } from '../../src/intake/types.ts';
import { defaultIntakeOptions } from '../../test/support/default-intake-options.ts';
import { type Label, labelOf } from './score-mapping.ts';

export interface Confirmed {
  file: string;
  /** Settings and columns that the person changed from the proposal. */
  choices: string[];
  /** Differences from the label, and lines that should not exist; empty: the file can be ordered. */
  wrong: string[];
}

interface LabelledFile {
  label: Label;
  path: string;
}

const codeLists = specCodeLists;

const propose = ({ label, path }: LabelledFile, person: FileMapping): Promise<ProposedMap> =>
  proposeMap({
    path,
    fileName: label.file,
    options: withMapping(defaultIntakeOptions, person),
    codeLists,
  });

/** A person's choices: how to read the file, and what to do with rows that have a certain value. */
interface Person {
  mapping: FileMapping;
  decided: DecidedValue[];
}

type Choice = Partial<Person>;

const nothing: Person = { mapping: {}, decided: [] };

const withChoice = ({ mapping, decided }: Person, more: Choice): Person => ({
  mapping: { ...mapping, ...more.mapping, columns: { ...mapping.columns, ...more.mapping?.columns } },
  decided: [...decided, ...(more.decided ?? [])],
});

/** Reads a file with the proposal and the person's changes. */
const readBy = async (file: LabelledFile, { mapping: chosen, decided }: Person) => {
  const proposed = await propose(file, chosen);
  const mapping: FileMapping =
    proposed.kind === 'refused'
      ? chosen
      : { ...proposed.settings, ...chosen, columns: { ...proposed.map, ...chosen.columns } };
  const rows: CheckedRow[] = [];
  const issues: RowIssue[] = [];
  const outcome = await importPurchaseFile({
    path: file.path,
    fileName: file.label.file,
    codeLists,
    options: withMapping(defaultIntakeOptions, mapping),
    accountColumns: defaultIntakeOptions.columns,
    isMapped: true,
    layouts: [],
    decided,
    stage: {
      add: async (more, found) => {
        rows.push(...more.filter(({ poNumber }) => poNumber !== undefined));
        issues.push(...found.filter(({ severity }) => severity === 'issue'));
      },
    },
  });
  return { proposed, outcome, rows, issues };
};

type Read = Awaited<ReturnType<typeof readBy>>;

/** Differences from the label; empty: the file can be ordered. */
const wrongIn = ({ expect }: Label, { outcome, rows, issues }: Read): string[] => {
  if (!Array.isArray(expect)) return [];
  if (outcome.kind === 'refused') return expect.map(({ row }) => `row ${row}: ${outcome.message}`);
  const last = expect.at(-1)!.row;
  const wrong = expect.flatMap(({ row, po, sku, quantity }) => {
    // An issue in one row of a PO rejects the whole PO.
    const issue = issues.find(({ rowNumber, poNumber }) => rowNumber === row || poNumber === po);
    if (issue) return [`row ${row}, ${issue.column}: ${issue.message}`];
    const read = rows.find(({ rowNumber }) => rowNumber === row);
    const given = `${read?.poNumber} ${read?.itemSku ?? read?.itemId} ${read?.quantity}`;
    return given === `${po} ${sku} ${quantity}` ? [] : [`row ${row}: ${given}, not ${po} ${sku} ${quantity}`];
  });
  const extra = rows.filter(
    ({ rowNumber }) => rowNumber <= last && expect.every(({ row }) => row !== rowNumber),
  );
  return [...wrong, ...extra.map(({ rowNumber }) => `row ${rowNumber} is no line`)];
};

/** The page's settings for the format of a file, each of them one choice. */
const ways: FileMapping[] = [
  { continuationRows: true },
  { decimal: 'comma' },
  { decimal: 'point' },
  { headerRows: 2 },
  { itemInBrackets: true },
  { stateNames: 'convert' },
  ...[1, 2, 3].map((sheet) => ({ sheet })),
];

/** The choices that the page offers while something is still wrong. */
const offered = ({ label }: LabelledFile, { outcome, proposed }: Read, { mapping }: Person): Choice[] => {
  const columns = proposed.kind === 'proposed' ? proposed.columns : [];
  const isNeeded = (header: string) =>
    isRequired(
      (mapping.columns?.[header] as FieldName) ?? columns.find((one) => one.header === header)?.field ?? null,
    );
  const values = outcome.kind === 'read' ? outcome.unsaid : [];
  return [
    ...ways.map((way) => ({ mapping: way })),
    { mapping: { header: label.headerRow + 1 } },
    ...columns.flatMap(({ header }) =>
      isNeeded(header) ? [] : [{ mapping: { columns: { [header]: 'ignore' as const } } }],
    ),
    ...values.flatMap(({ column, values: all }) =>
      all.map(({ key }) => ({ decided: [{ column, value: key, answer: 'leave_out' as const }] })),
    ),
  ];
};

/** Distance from the label; a file that can be read is nearer than one that is refused. */
const farFrom = ({ outcome }: Read, wrong: readonly string[]): number =>
  wrong.length + (outcome.kind === 'refused' ? wrong.length : 0);

/** Makes choices until a mappable file matches its label. */
export const confirmAsLabelled = async (file: LabelledFile): Promise<Confirmed> => {
  const { label } = file;
  const lines = label.expect as Exclude<Label['expect'], { refuse: string }>;
  const choices: string[] = [];
  let person = nothing;
  const choose = (more: Choice) => {
    person = withChoice(person, more);
    choices.push(JSON.stringify(more));
  };
  let read = await readBy(file, person);
  const isHeader = ({ proposed }: Read) =>
    proposed.kind === 'proposed' &&
    Math.abs((proposed.headerRow ?? 0) - label.headerRow) <= (proposed.settings.headerRows === 2 ? 1 : 0);
  if (wrongIn(label, read).length > 0 && !isHeader(read)) {
    choose({ mapping: { header: label.headerRow === 0 ? 'none' : label.headerRow } });
    read = await readBy(file, person);
  }
  const { proposed } = read;
  for (const { header, field, allowed } of labelOf(
    label,
    proposed.kind === 'proposed' ? proposed.columns : [],
  )) {
    if (allowed.includes(field ?? 'ignore')) continue;
    const right = (allowed.includes('ignore') ? 'ignore' : allowed[0]!) as FieldName | 'ignore';
    choose({ mapping: { columns: { [header]: right } } });
  }
  const ofWholeFile = !['column', 'column of other records', undefined].includes(label.poNumberFrom);
  if (ofWholeFile && proposed.kind === 'proposed' && proposed.poSource?.poNumber !== lines[0]!.po)
    choose({ mapping: { constants: { po_number: lines[0]!.po } } });
  read = await readBy(file, person);
  // As on the page, the preview shows after each choice what is still wrong.
  let wrong = wrongIn(label, read);
  while (wrong.length > 0) {
    let best: { more: Choice; read: Read; wrong: string[] } | undefined;
    let least = farFrom(read, wrong);
    for (const more of offered(file, read, person)) {
      const next = await readBy(file, withChoice(person, more));
      const left = wrongIn(label, next);
      if (farFrom(next, left) >= least) continue;
      least = farFrom(next, left);
      best = { more, read: next, wrong: left };
    }
    if (!best) break;
    choose(best.more);
    ({ read, wrong } = best);
  }
  return { file: label.file, choices, wrong };
};

/** The rows that would be ordered if somebody accepted the whole proposal. */
export const acceptAll = async (file: LabelledFile): Promise<CheckedRow[]> => {
  const { proposed, outcome, rows, issues } = await readBy(file, nothing);
  if (proposed.kind === 'refused' || proposed.missing.length > 0 || outcome.kind === 'refused') return [];
  const rejected = new Set(issues.map(({ poNumber }) => poNumber));
  return rows.filter(({ poNumber }) => poNumber !== undefined && !rejected.has(poNumber));
};
