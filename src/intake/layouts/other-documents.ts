import { readHeader } from '../columns/read-header.ts';
import { saysNotToOrder } from '../rows/says-not-to-order.ts';

const number =
  '(?:\\s+(?:q[1-4]|(?:19|20)\\d\\d))*(?:\\s*(?:no\\.?|number|nr\\.?|#)?\\s*[:#]?\\s*[\\p{L}-]{0,4}[-\\d/]*\\d[-\\d/]*)?';
/** Documents that are not orders. Excludes `Order confirmation`, because some dealers call their orders that. */
const document = new RegExp(
  `^(?:(?:sales|customer|commercial|tax|proforma|open|our|current|weekly|monthly|daily)\\s+)*(?:${[
    'invoices?|packing\\s+(?:slip|list)s?|credit\\s+(?:memo|note)s?|debit\\s+(?:memo|note)s?|rma|return\\s+authori[sz]ation|return(?:s|\\s+request)?',
    'quotations?|quotes?|estimates?|pro[\\s-]?forma|price\\s?lists?|sales\\s+(?:history|report)|(?:order|purchase|po)\\s+history|history|wish\\s?lists?',
    'back\\s?-?orders?(?:\\s+(?:report|list|status))?|delivery\\s+notes?|goods\\s+(?:receipts?|received(?:\\s+note)?)|change\\s+orders?|(?:advance\\s+)?ship(?:ment|ping)\\s+notices?(?:\\s+\\(asn\\))?|receiving\\s+report|stock\\s+(?:report|list|status|check|count)|inventory(?:\\s+(?:report|count|list))?',
    'statement(?:\\s+of\\s+account)?|forecasts?|rechnung|lieferschein|gutschrift|angebot|preisliste|rückstandsliste|facture|devis|bon\\s+de\\s+livraison|factura|albarán|presupuesto|fattura|preventivo',
  ].join('|')})${number}\\s*$`,
  'iu',
);
const draft =
  /^(?:draft|entwurf|brouillon|borrador|bozza)(?:\s*[-–—:(!*].*|\s+(?:order|po|version|copy|only)\b.*|\s*)$/iu;
const example =
  /^(?:this\s+is\s+)?(?:an?\s+)?(?:examples?|samples?|beispiele?|exemples?|ejemplos?|esemp[io])(?:\s+(?:orders?|only|data|files?|pos?))*\s*[:!.*]*$/i;
const inPacks =
  /(?:^|[^\p{L}])(?:quantit(?:y|ies)|qty['’]?s?|mengen?|quantités?|cantidad(?:es)?)\s+(?:(?:is|are|shown|given|listed|stated|ordered|sind|angegeben|en|exprimées?)\s+)*(?:in|by|en)\s+(?:full\s+)?(?:cases?|cartons?|dozens?|packs?|packages|boxes|pallets?|thousands?|hundreds?|pairs|gross|sets|kartons?|dutzend|paletten|cartons|douzaines|cajas|docenas)(?=$|[^\p{L}])/iu;
const apart =
  /^(?:on\s+hold|hold|void|not\s+(?:yet\s+)?approved|unapproved|for\s+(?:your\s+)?(?:reference|information)(?:\s+only)?)[!.*\s]*$/i;

/** Sheet names are short, so a single word decides. */
const sheetName =
  /^(?:cancell?ed|cancell?ations?|cancels?|void(?:ed)?|storn(?:o|iert)|already\s+\w+|rejected|deleted|archived?|old\s+(?:orders?|pos?))(?:\s+(?:orders?|pos?|items?|lines?))?$/i;
const onlyNumber = /^[\p{L}-]{0,4}[\d/-]*\d[\d/-]*$/u;
const longest = 150;

/** An unticked box of a form: `Cancelled: No`. */
const no = '(?:no|nein|non|none|n\\/?a|false|0|-+)';
const saidNo = new RegExp(`[:?=]\\s*${no}\\W*$`, 'i');
const onlyNo = new RegExp(`^${no}$`, 'i');

/** Labels whose values are names or numbers, whatever their text: `Attn | Returns`, `PO Number | DRAFT-7`. */
const isNameOrNumber = (label: string, value: string): boolean => {
  const { meanings, unknown } = readHeader(label);
  if (unknown > 0) return false;
  const isPo = meanings.has('po') || (meanings.has('order') && meanings.has('number'));
  const isName = (['contact', 'recipient', 'company', 'method', 'via'] as const).some((one) =>
    meanings.has(one),
  );
  return isName || (isPo && /\d/.test(value));
};

/** Whether a label above a table never affects the order, whatever its value: a person's name, a number, an unticked box. Pure. */
export const isHarmlessLabel = (label: string, value: string): boolean =>
  onlyNo.test(value) || isNameOrNumber(label, value);

/** Whether a title says that the table below is not an order, or needs changes: `CANCELLED`, `Quotation 2231`, `Quantities in dozens`. Pure. */
const saysNoOrders = (title: string): boolean => {
  const text = title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[*\s-]+|[*\s-]+$/g, '');
  if (text === '' || text.length > longest || text.endsWith(':') || saidNo.test(text)) return false;
  return [document, draft, example, inPacks, apart].some((one) => one.test(text)) || saysNotToOrder(text);
};

/** The texts in a row above a table that say so. Pure. @param filled the row's non-blank cells */
export const titlesOfNoOrder = (filled: readonly string[]): string[] => {
  // Of two cells, the first labels the second: `Invoice`, `Acme`; but `Quotation`, `2231` is a title.
  const [label = '', value = ''] = filled;
  const isLabelled =
    label.endsWith(':') || (document.test(label) && !onlyNumber.test(value)) || isHarmlessLabel(label, value);
  return filled.length === 2 && isLabelled ? [] : filled.filter(saysNoOrders);
};

/** Whether the name of a sheet says that it does not contain orders. Pure. */
export const isSheetOfNoOrder = (name: string): boolean =>
  sheetName.test(name.replace(/[\d#]+/g, ' ').trim()) || saysNoOrders(name);
