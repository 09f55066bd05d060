import { listed, quoted } from '../quoted.ts';
import type { ColumnContent } from './column-content.ts';
import { sayField } from './field-words.ts';
import { type FieldName, fieldOfHeader, headerKey, type RequiredField } from './fields.ts';
import { clearName, mayName, type Ranks, rankName } from './name-ranks.ts';
import { numberBeside } from './number-beside.ts';
import { readHeader } from './read-header.ts';
import type { Weight } from './weigh-values.ts';

interface Candidate {
  column: number;
  header: string;
  rank: number;
  /** Rank of the name and weight of the values. */
  score: number;
  why: string;
}

export interface NamedColumn {
  header: string;
  ranks: Ranks;
  content: ColumnContent;
}

/** Below this, name and values together do not justify proposing a column. */
export const threshold = 4;
/** Two columns whose scores are closer than this are ambiguous. */
const margin = 1;

const onItsSide: Weight = {
  against:
    'the names of other columns are below it, so the table seems to lie on its side: turn rows into columns',
};
const fewNames = 20;

/** Whether the table is transposed: a column that could hold one field has the names of others below its header. */
const liesOnItsSide = (field: RequiredField, { cells }: ColumnContent): boolean => {
  const named = new Set<RequiredField>();
  for (const cell of cells.slice(0, fewNames)) {
    if (!/^\p{L}/u.test(cell) || cell.length > 40) continue;
    const ranks = rankName(cell);
    for (const other of ['po_number', 'item_sku', 'quantity'] as const)
      if (other !== field && ranks[other] >= clearName) named.add(other);
  }
  return named.size > 1;
};

/** `Line item Quantity` beside a `Quantity` with other values. */
const quantityOfLine = (
  best: Candidate,
  candidates: readonly Candidate[],
  columns: readonly NamedColumn[],
): Candidate | undefined => {
  const says = ({ header }: Candidate) => readHeader(header).meanings.has('line') || /line/i.test(header);
  const other = says(best) ? undefined : candidates.find((one) => one.rank >= clearName && says(one));
  return other && !sameCells(columns[other.column]!.content, columns[best.column]!.content)
    ? other
    : undefined;
};

const isBareQuantity = (header: string): boolean => {
  const { meanings } = readHeader(header);
  return (['order', 'ordered', 'requested', 'purchase', 'po'] as const).every((one) => !meanings.has(one));
};

/** In English, German, Dutch, French, Spanish, Italian, Swedish and Polish. */
const askedNames =
  /^\W*(?:(?:qty|quantity|menge|aantal|quantité|cantidad|quantità|antal|ilość)\W*)?(?:to[ _-]?order|re-?order(?:[ _-]?(?:qty|quantity))?|suggested(?:[ _-]?(?:order|qty|quantity))*|order(?:ed)?|order[ _-]?(?:qty|quantity)|(?:zu )?bestellen|bestellt|bestellvorschlag|bestellmenge|te bestellen|besteld|[àa] commander|commandée?|(?:a|por) pedir|pedid[oa]|da ordinare|ordinat[oa]|att beställa|do zamówienia)\W*$/i;
const longestAsked = 4;

/** A later value of a quantity: `Revised Qty`, `Approved Qty`. */
const revision =
  /\b(?:revis(?:ed|ion)|amended|corrected|adjusted|changed|updated|new|final|approved|authori[sz]ed|agreed|accepted|confirmed|released|net|actual|genehmigte?|best[äa]tigte?|freigegebene?|korrigierte?|ge[äa]nderte?|neue?|endg[üu]ltige?|r[ée]vis[ée]e?s?|corrig[ée]e?s?|approuv[ée]e?s?|confirm[ée]e?s?|nouvelle|finale?|revisad[oa]|corregid[oa]|aprobad[oa]|confirmad[oa]|nuev[oa]|approvat[oa]|confermat[oa]|nuov[oa]|herziene?|goedgekeurde?|bevestigde?|nieuwe?)(?=$|[\s_-])/iu;
const isRevision = ({ header, content }: NamedColumn): boolean => {
  const without = header.replace(revision, ' ').trim();
  return (
    without !== '' &&
    without !== header.trim() &&
    rankName(without).quantity >= threshold &&
    content.values > 0 &&
    content.cells.every((cell) => /^\d*(?:[.,]0+)?$/.test(cell))
  );
};

/** Whether a column has piece counts under a name for the quantity to order. */
const isAsked = ({ header, content }: NamedColumn): boolean =>
  askedNames.test(header.trim()) &&
  content.values > 0 &&
  content.longest <= longestAsked &&
  content.cells.every((cell) => /^\d*(?:[.,]0+)?$/.test(cell));

/** Rank of a name that contains PO or purchase order. */
const explicitPo = 7;

const isBuyers = (header: string): boolean => {
  const { meanings } = readHeader(header);
  return meanings.has('customer') || meanings.has('own');
};

export const sameCells = (a: ColumnContent, b: ColumnContent) =>
  a.cells.every((cell, at) => cell === b.cells[at]);

export const quote = (header: string) => quoted(header.trim());

/** The assumed name rank when weighing the values of a column without a meaningful name. */
const namelessRank: Record<RequiredField, number> = { po_number: 4, item_sku: 3, quantity: 4.5 };
const mostNamed = 3;

export interface Choice {
  best?: Candidate;
  certain: boolean;
  doubt?: string;
  /** Without `best`: possible columns. */
  candidates?: number[];
}

/** Why no column was chosen, and the possible ones. */
const explainNone = (
  field: RequiredField,
  columns: readonly NamedColumn[],
  { meant, others }: { meant: readonly Candidate[]; others: readonly string[] },
  fits: (at: number) => boolean,
): Choice => {
  const named = meant.map(
    ({ header }) => `${quote(header)} could be the ${sayField(field)}, but its name may mean something else`,
  );
  const byValues = columns.flatMap(({ header }, at) => (mayName(header, field) && fits(at) ? [at] : []));
  const nameless = byValues.map((at) => quote(columns[at]!.header));
  const seen = [...named, ...others].slice(0, mostNamed);
  const why = seen.length > 0 ? seen : [`no header names the ${sayField(field)}`];
  if (nameless.length > 0) why.push(`by its values it may be ${listed(nameless, mostNamed)}`);
  return {
    certain: false,
    doubt: why.join('; '),
    candidates: [...meant.map(({ column }) => column), ...byValues],
  };
};

/**
 * The column that holds a required field, by name and values; otherwise why none was chosen. Pure.
 *
 * @param taken the columns that hold another field or are ignored (`null`)
 */
export const chooseColumn = (
  field: RequiredField,
  columns: readonly NamedColumn[],
  taken: ReadonlyMap<number, FieldName | null>,
  weigh: (content: ColumnContent, rank: number, header: string) => Weight,
): Choice => {
  const refused: string[] = [];
  const candidates: Candidate[] = [];
  for (const [column, { header, ranks, content }] of columns.entries()) {
    const rank = ranks[field];
    if (rank === 0) continue;
    const holds = taken.get(column);
    if (holds !== undefined) {
      const instead = holds === null ? 'it is set to be ignored' : `it is taken as the ${sayField(holds)}`;
      refused.push(`${quote(header)} could be the ${sayField(field)}, but ${instead}`);
      continue;
    }
    const weight = liesOnItsSide(field, content) ? onItsSide : weigh(content, rank, header);
    if ('against' in weight) {
      refused.push(`${quote(header)} could be the ${sayField(field)}, but ${weight.against}`);
      continue;
    }
    candidates.push({ column, header, rank, score: rank + weight.weight, why: weight.why });
  }
  candidates.sort((a, b) => b.score - a.score || a.column - b.column);
  const [best, second] = candidates;
  if (!best || best.score < threshold) {
    const fits = (at: number) => {
      const { header, ranks, content } = columns[at]!;
      if (ranks[field] > 0 || taken.has(at) || content.values === 0) return false;
      const isCount = content.cells.every((cell) => /^\d*$/.test(cell));
      if (field === 'item_sku' && isCount) return false;
      const weight = weigh(content, namelessRank[field], header);
      return 'weight' in weight && weight.weight > 0;
    };
    return explainNone(field, columns, { meant: candidates.slice(0, 1), others: refused }, fits);
  }
  const shown = field === 'po_number' ? numberBeside(best, columns, taken) : undefined;
  if (shown !== undefined) {
    const { header } = columns[shown]!;
    const why = `its values belong to those of ${quote(best.header)} one by one, so that is the ID of the system`;
    return { best: { ...best, column: shown, header, why }, certain: false };
  }
  const ofLine = field === 'quantity' ? quantityOfLine(best, candidates, columns) : undefined;
  if (ofLine) {
    const why = `${quote(best.header)} may be that of the whole order`;
    return { best: { ...ofLine, why: `${ofLine.why}; ${why}` }, certain: false };
  }
  const rival =
    second && second.score >= threshold && best.score - second.score < margin ? second : undefined;
  if (
    rival &&
    best.score - rival.score < margin / 2 &&
    !sameCells(columns[best.column]!.content, columns[rival.column]!.content)
  ) {
    return {
      certain: false,
      doubt:
        headerKey(best.header) === headerKey(rival.header)
          ? `several columns are named ${quote(best.header)}; give them different names in the file`
          : `${quote(best.header)} and ${quote(rival.header)} could both be the ${sayField(field)}`,
      candidates: [best.column, rival.column],
    };
  }
  const others = candidates.filter(
    (one) => one !== best && one.score >= threshold && (one.rank >= clearName || one === rival),
  );
  if (others.length > 0)
    best.why += `, but ${others.map(({ header }) => quote(header)).join(' and ')} could also be meant`;
  // The service may use a different item number than its maker, seller or buyer.
  const meanings = field === 'item_sku' ? readHeader(best.header).meanings : new Set();
  const whose = (['vendor', 'manufacturer', 'customer'] as const).find((one) => meanings.has(one));
  if (whose) best.why += `, but the service may know the item by another number than the ${whose}’s`;
  // `Item` is a recognised name, but only its values can make it certain. `Order Number` is the seller's beside `Customer Order`, and the
  // buyer's otherwise.
  const buyers =
    field === 'po_number' && best.rank < explicitPo
      ? candidates.find((one) => one !== best && isBuyers(one.header))
      : undefined;
  if (buyers) best.why += `, but ${quote(buyers.header)} may be the number that you gave the order`;
  // Beside `To Order`, `Quantity` means the stock.
  const bare = isBareQuantity(best.header);
  const asked =
    field === 'quantity'
      ? columns.find(
          (one, at) =>
            at !== best.column &&
            !taken.has(at) &&
            ((bare && isAsked(one)) || isRevision(one)) &&
            !sameCells(one.content, columns[best.column]!.content),
        )
      : undefined;
  if (asked) best.why += `, but ${quote(asked.header)} may be what is to be ordered`;
  const clear =
    best.rank >= clearName || (fieldOfHeader(best.header) === field && best.score - best.rank >= 1.5);
  return { best, certain: clear && others.length === 0 && !whose && !buyers && !asked };
};
