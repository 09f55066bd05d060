import { parse } from 'node:path';
import { shorten } from '../rows/row-issue.ts';
import { maySayNotToOrder, nameSaysNotToOrder } from '../rows/says-not-to-order.ts';
import type { RawRow } from '../types.ts';
import type { KnownValues } from './answers.ts';
import { isSheetOfNoOrder, titlesOfNoOrder } from './other-documents.ts';
import type { SeenColumn } from './seen-column.ts';
import { isNumber } from './shapes.ts';
import { textKey } from './telling-values.ts';
import { earlierKey, otherKey, partsOf, type Title, titleOf } from './titles.ts';

/** The kinds of content besides the lines. */
type OtherKind = 'row' | 'title' | 'sheet';

/** The pseudo-columns of a layout for content besides the lines. Keys of real columns never begin with a blank. */
const columnOf: Record<OtherKind, string> = { row: ' other rows', title: ' titles', sheet: ' sheets' };

/** Whether a file of the layout was read, or shown to the person who agreed: then titles are recorded. Pure. */
export const isLookedAt = (known: KnownValues | undefined): boolean => known?.has(columnOf.title) === true;

/** Whether this is a pseudo-column: content besides the lines, or shapes of PO numbers. Pure. */
export const isOther = (column: string): boolean => column.startsWith(' ');

interface Other extends Title {
  kind: OtherKind;
  /** `row 14` */
  where?: string;
  /** It says that the file is not an order, so it raises a question wherever it is new. */
  saysNoOrder?: boolean;
  /** It has all that a line needs. */
  isLine?: boolean;
  /** The comparison key of an earlier version. */
  earlier?: string;
  /** Earlier versions did not look here: the marker that layouts have since. */
  since?: typeof lookedBeside | typeof lookedHidden | typeof lookedAtName | undefined;
}

/** At most this many texts of a file are stored with its layout, and as many new ones reported; the others raise questions in the next file. */
const most = 200;
/** Maximum number of rows watched in another sheet. */
const mostRows = 50;

/** Marks known titles as recorded by this version. No text has this key. */
const inParts = ' parts';
/** The same for content besides combined tables. */
const lookedBeside = ' beside';
/** The same for hidden sheets. */
const lookedHidden = ' hidden';
/** The same for file names that call the file another document. */
const lookedAtName = ' file names';

const say = ({ kind, where, text, isLine }: Other): string => {
  const quoted = JSON.stringify(text);
  if (kind === 'sheet') return `a sheet that is not read says ${quoted}`;
  if (isLine) return `${where} looks like a line and would not be ordered: ${quoted}`;
  return kind === 'title' ? `${where} says ${quoted}` : `${where} says ${quoted} and is no line`;
};

/**
 * Watches content besides the lines: other rows, titles above the table, other sheets. Memory does not grow with the file.
 *
 * @param isFirst the file's header has no agreed layout; `known` then comes from other files of the account
 * @param isCombined its rows come from several tables
 */
export const createOtherWatch = (
  known: KnownValues | undefined,
  { isFirst, isCombined }: { isFirst: boolean; isCombined: boolean },
) => {
  const found = new Map<string, Other & { key: string; rows: number }>();
  const isKnownOther = ({ kind, key, earlier = key }: Other & { key: string }): boolean => {
    const keys = known?.get(columnOf[kind]);
    return (
      keys !== undefined && (keys.has(key) || (earlier !== '' && !keys.has(inParts) && keys.has(earlier)))
    );
  };
  const isWatched = ({ kind, since, text, saysNoOrder }: Other): boolean => {
    if (saysNoOrder) return true;
    const keys = known?.get(columnOf[kind]);
    if (isFirst || !keys) return isFirst;
    // Layouts agreed before a check existed do not wait because of it, unless the text says not to order.
    return since === undefined || keys.has(since) || maySayNotToOrder(text);
  };
  // Counted separately, so that known texts cannot crowd out new ones.
  const counts = { known: 0, fresh: 0 };
  const add = (other: Other) => {
    const key = other.key ?? otherKey(other.text);
    const id = `${other.kind} ${key}`;
    const before = found.get(id);
    const group = isKnownOther({ ...other, key }) ? 'known' : 'fresh';
    if (before) before.rows += 1;
    else if (counts[group] < most) {
      counts[group] += 1;
      found.set(id, { ...other, key, rows: 1, text: shorten(other.text) });
    }
  };
  // In joined sheets, an order without lines comes from another sheet.
  const whereOf = ({ rowNumber, from = `row ${rowNumber}` }: RawRow) => from;
  const filledOf = ({ cells }: RawRow) => cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return {
    addRow: (row: RawRow) => add({ kind: 'row', where: whereOf(row), text: filledOf(row).join(' | ') }),
    /**
     * Whether the single text of a row was agreed to be no line. Excludes plain numbers, which may be POs without items, and withdrawals,
     * which apply only to one number.
     */
    isAgreedText: ({ cells }: RawRow): boolean => {
      const [text = '', ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
      const row = { kind: 'row', where: '', text, key: otherKey(text) } as const;
      const saysLittle = row.key !== '' && !isNumber(text) && !nameSaysNotToOrder(text);
      return others.length === 0 && saysLittle && isKnownOther(row);
    },
    /** @param isLine the row would be a line below the header; its digits count then */
    addTitle: (row: RawRow, isLine: boolean) => {
      const filled = filledOf(row);
      const title = {
        kind: 'title',
        where: `${whereOf(row)}, above the table,`,
        since: row.from === undefined ? undefined : lookedBeside,
      } as const;
      if (isLine) {
        const text = filled.join(' | ');
        add({ ...title, text, key: textKey(text), saysNoOrder: true, isLine });
        return;
      }
      const ofNoOrder = titlesOfNoOrder(filled);
      for (const text of ofNoOrder) add({ ...title, text, saysNoOrder: true });
      const earlier = earlierKey(filled);
      for (const part of partsOf(filled)) {
        const other = { ...title, earlier, ...titleOf(part) };
        if (!ofNoOrder.some((text) => [...part, other.text].includes(text))) add(other);
      }
    },
    /** The name of the read sheet, which differs in each file and matters only if it says that the sheet has no orders. */
    addName: (name: string) => {
      if (isSheetOfNoOrder(name))
        add({ kind: 'title', where: 'the name of the sheet', text: name, saysNoOrder: true });
    },
    /** The file name, which matters only if it says not to order, or calls the file another document. */
    addFileName: (name: string) => {
      const text = parse(name).name;
      const title = { kind: 'title', where: 'the name of the file', text } as const;
      if (nameSaysNotToOrder(text)) add({ ...title, saysNoOrder: true });
      else if (isSheetOfNoOrder(text.replace(/[_-]+/g, ' ')))
        add({ ...title, countsAtFirst: true, since: lookedAtName });
    },
    addSheet: ({ name, rows, hidden }: { name: string; rows: readonly RawRow[]; hidden: boolean }) => {
      const said = rows.slice(0, mostRows).map((row) => filledOf(row).join(' | '));
      const since = hidden ? lookedHidden : isCombined ? lookedBeside : undefined;
      add({ kind: 'sheet', since, text: `${name}${hidden ? ' (hidden)' : ''}: ${said.join('; ')}` });
    },
    /**
     * New content that no earlier file had, in words.
     *
     * @param isForm texts around the lines belong to a form that the account has configured
     */
    unseen: (isForm: boolean): string[] =>
      [...found.values()].flatMap((other) => {
        const isLabelled = isFirst && other.kind === 'title' && !other.countsAtFirst;
        const isOfForm = isForm && other.kind !== 'sheet';
        if (!other.saysNoOrder && (isOfForm || other.key === '' || isLabelled)) return [];
        return isWatched(other) && !isKnownOther(other) ? [say(other)] : [];
      }),
    /** All content, to store with the layout. */
    seen: (): SeenColumn[] =>
      (Object.keys(columnOf) as OtherKind[]).map((kind) => {
        const values = [...found.values()].filter((other) => other.kind === kind);
        // A blank value records that the layout is watched for this, even if its first file had none.
        return {
          column: columnOf[kind],
          header: '',
          values: [
            { key: '', text: '', rows: 0 },
            ...(kind === 'title' ? [{ key: lookedAtName, text: '', rows: 0 }] : []),
            ...(kind === 'title' && values.length > 0 ? [{ key: inParts, text: '', rows: 0 }] : []),
            ...(isCombined && kind !== 'row' ? [{ key: lookedBeside, text: '', rows: 0 }] : []),
            ...(kind === 'sheet' ? [{ key: lookedHidden, text: '', rows: 0 }] : []),
            ...values.map(({ key, text, rows }) => ({ key, text, rows })),
          ],
        };
      }),
  };
};
