import type { ImportDetail, ImportOutcome, ImportSummary } from '../api-contract/imports.ts';
import type { ListedImport, ShownImport } from '../ledger/console/imports.ts';
import { activeStates } from '../placing/types.ts';
import { whyNothingFound, withoutPoText } from '../reports/nothing-found.ts';
import { countOf } from './action-words.ts';

type Counted = Pick<ListedImport, 'states' | 'elsewhere'>;

/** POs that the file asks for in one of these states, its own and those of other files. */
const inStates = ({ states, elsewhere }: Counted, ...wanted: (keyof ListedImport['states'])[]): number =>
  wanted.reduce((sum, state) => sum + (states[state] ?? 0) + (elsewhere[state] ?? 0), 0);

/** All POs that it asks for, its own and those of other files. */
const askedFor = ({ states, elsewhere }: Counted): number =>
  [states, elsewhere].flatMap((counts) => Object.values(counts)).reduce((sum, n) => sum + n, 0);

const placed = (one: Counted): number => inStates(one, 'ordered', 'closed');
const moving = (one: Counted): number => inStates(one, ...activeStates);

/** The outcome of an import. Pure. */
const outcomeOf = (
  one: Pick<ListedImport, 'state' | 'states' | 'elsewhere' | 'rowsWithoutPo' | 'settled'>,
): ImportOutcome => {
  if (one.state === 'taken') return 'reading';
  if (one.state === 'waiting') return 'waiting';
  if (one.state === 'refused' && one.settled) return 'not_needed';
  if (one.state === 'refused' || one.state === 'repeated') return one.state;
  if (moving(one) > 0) return 'placing';
  const all = askedFor(one);
  const well = placed(one) + inStates(one, 'quoted');
  if (all > 0 && well === all && one.rowsWithoutPo === 0) return 'complete';
  if (well > 0) return 'partly_ordered';
  if (inStates(one, 'failed', 'rejected') > 0 || one.rowsWithoutPo > 0) return 'nothing_ordered';
  if (inStates(one, 'held') > 0) return 'held';
  return inStates(one, 'corrected', 'not_needed') > 0 ? 'not_needed' : 'nothing_ordered';
};

const notOrderedWords = [
  ['held', 'held'],
  ['failed', 'failed'],
  ['rejected', 'rejected'],
  ['cancelled', 'cancelled'],
  ['corrected', 'corrected in a later file'],
  ['not_needed', 'not needed'],
] as const;

const notOrderedText = (one: Counted & Pick<ListedImport, 'rowsWithoutPo'>): string => {
  const parts = notOrderedWords.flatMap(([state, word]) => {
    const count = inStates(one, state);
    return count > 0 ? [`${count.toLocaleString('en-US')} ${word}`] : [];
  });
  return [...parts, ...(one.rowsWithoutPo > 0 ? [withoutPoText(one.rowsWithoutPo)] : [])].join(', ');
};

const belongElsewhere = (one: Counted & Pick<ListedImport, 'elsewhereCount'>): string => {
  const { elsewhereCount } = one;
  if (elsewhereCount === 0) return '';
  if (elsewhereCount < askedFor(one))
    return ` ${elsewhereCount.toLocaleString('en-US')} of its POs ${elsewhereCount === 1 ? 'belongs' : 'belong'} to other files.`;
  return ` ${elsewhereCount === 1 ? 'Its PO belongs' : `All its ${elsewhereCount.toLocaleString('en-US')} POs belong`} to other files.`;
};

/** ` 2 of its POs belong to other files.`; blank if none does and no cancelled one came again. */
const elsewhereText = (one: ListedImport): string =>
  belongElsewhere(one) +
  (one.cameAgainCount === 0
    ? ''
    : ` ${one.cameAgainCount.toLocaleString('en-US')} of the cancelled POs came again in ${one.cameAgainCount === 1 ? 'another file' : 'other files'}.`);

const outcomeText = (one: ListedImport, outcome: ImportOutcome): string => {
  const ordered = placed(one);
  const quoted = inStates(one, 'quoted');
  const all = askedFor(one);
  const placing = moving(one);
  switch (outcome) {
    case 'reading':
      return 'Picked up; not read yet.';
    case 'waiting':
      return 'It waits for somebody to say what it means. Nothing in it is ordered meanwhile.';
    case 'placing':
      return `${placing.toLocaleString('en-US')} of ${countOf(all, 'PO')} ${placing === 1 ? 'is' : 'are'} still being ${one.quoteOnly ? 'quoted' : 'placed'}.${elsewhereText(one)}`;
    case 'complete':
      return one.quoteOnly
        ? `${countOf(quoted, 'PO')} quoted; nothing was ordered.`
        : `${countOf(ordered, 'PO')} ordered.${elsewhereText(one)}`;
    case 'partly_ordered':
      return `${countOf(ordered + quoted, 'PO')} ${one.quoteOnly ? 'quoted' : 'ordered'}, ${notOrderedText(one)}.${elsewhereText(one)}`;
    case 'held':
      return `Waiting for you: ${notOrderedText(one)}. Nothing is ordered until a person decides.${elsewhereText(one)}`;
    case 'not_needed':
      return one.state === 'refused'
        ? `A person says that this file is not needed. It was refused: ${one.reasonText ?? 'it cannot be used.'}`
        : `Nothing was ordered, and nothing is left to do: ${notOrderedText(one)}.${elsewhereText(one)}`;
    case 'nothing_ordered':
      return all === 0
        ? whyNothingFound({ repeated: {}, leftOut: one.leftOut, issueCount: one.issueCount })
        : `Nothing was ordered: ${notOrderedText(one)}.${elsewhereText(one)}`;
    case 'refused':
      return one.reasonText ?? 'The file was refused.';
    case 'repeated':
      return one.reasonText ?? 'The same bytes were imported before.';
  }
};

const between = (from: string, to: string | null): number | null =>
  to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from));

/** An import as lists show it. Pure. */
export const summaryOfImport = (one: ListedImport): ImportSummary => {
  const outcome = outcomeOf(one);
  const isRead = one.state === 'read';
  const finishedAt =
    !isRead || one.active > 0
      ? isRead
        ? null
        : one.readAt
      : // A PO that it repeats may have changed before this one was read.
        ([one.changedAt, one.readAt]
          .filter((at) => at !== null)
          .sort()
          .at(-1) ?? null);
  return {
    ...one,
    outcome,
    outcomeText: outcomeText(one, outcome),
    source: one.isCorrection ? 'correction' : one.uploadedBy === null ? 'folder' : 'upload',
    finishedAt,
    durationMs: between(
      one.takenAt,
      isRead && finishedAt !== null ? (one.firstDoneAt ?? finishedAt) : finishedAt,
    ),
  };
};

type Step = ImportDetail['steps'][number];

const readStep = (one: ShownImport): Omit<Step, 'step'> => {
  switch (one.state) {
    case 'taken':
      return { state: 'running', at: null, text: 'The file is being read, or waits for a worker.' };
    case 'waiting':
      return { state: 'waiting', at: null, text: 'Somebody has to say what the file means.' };
    case 'repeated':
      return { state: 'not_needed', at: one.readAt, text: 'The same bytes were read before.' };
    case 'refused':
      return { state: 'failed', at: one.readAt, text: 'The file was refused.' };
    default:
      return {
        state: 'done',
        at: one.readAt,
        text: `${countOf(one.rowCount, 'row')} read, ${countOf(one.poCount, 'PO')} found, ${countOf(one.issueCount, 'issue')}.`,
      };
  }
};

const placedStep = (one: ShownImport, isUnread: boolean): Omit<Step, 'step'> => {
  if (isUnread) return { state: 'waiting', at: null, text: 'After the file is read.' };
  if (one.state !== 'read')
    return { state: 'not_needed', at: null, text: 'Nothing is ordered from this file.' };
  const { finishedAt, outcome, outcomeText: text } = summaryOfImport(one);
  return { state: outcome === 'placing' ? 'running' : 'done', at: finishedAt, text };
};

const reportedStep = (one: ShownImport, isUnread: boolean): Omit<Step, 'step'> => {
  if (isUnread) return { state: 'waiting', at: null, text: 'A result file is written at the end.' };
  if (one.state === 'repeated')
    return { state: 'not_needed', at: null, text: 'The result file of the first import answers it.' };
  if (one.resultWrittenAt !== null && !one.resultDue)
    return { state: 'done', at: one.resultWrittenAt, text: 'The result file is written and up to date.' };
  const text =
    one.active > 0
      ? 'The result file is written when nothing is being placed any more.'
      : 'The result file is to be written.';
  return { state: 'waiting', at: null, text };
};

/** The progress of an import. Pure. */
export const stepsOf = (one: ShownImport): Step[] => {
  const isUnread = one.state === 'taken' || one.state === 'waiting';
  return [
    { step: 'received', state: 'done', at: one.takenAt, text: 'The file was picked up.' },
    { step: 'read', ...readStep(one) },
    { step: 'placed', ...placedStep(one, isUnread) },
    { step: 'reported', ...reportedStep(one, isUnread) },
  ];
};

/** How to fix row issues of a kind. Pure. */
export const fixOf = ({
  column,
  expected,
  severity,
}: {
  column: string;
  expected: string | null;
  severity: string;
}): string =>
  severity === 'note'
    ? 'Nothing has to be corrected if it is what you meant.'
    : `Correct the column ${column} in these rows${expected ? ` (expected: ${expected})` : ''} and send the file again: only what is not yet ordered is placed.`;
