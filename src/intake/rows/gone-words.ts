import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';

/** A status of the line or of its order, and not of a payment or a delivery. */
export const ofLine: ReadonlySet<Meaning> = new Set([
  'status',
  'line',
  'item',
  'order',
  'po',
  'purchase',
  'sale',
  'document',
  'name',
  'code',
] satisfies Meaning[]);

/** A text that says the opposite: `Not cancelled`. */
const not = /(?:^|[^\p{L}])(?:not|no|never|nicht|non|nie)(?:$|[^\p{L}])/iu;
/** Further words that say so, which are no words of headers. */
export const ended = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    'void(?:ed)?|forecast|failed|declined|denied|expired|charge\\s?back|charged\\s?back|trash|deleted?|removed?|discarded|rma|cxl|cxld|cncl|cncld',
    'credit\\s?(?:memo|note)s?|(?:zurück)?erstattet|gelöscht|retouren?|gutschrift|storno|rembours[ée]e?|supprim[ée]e?|avoir',
    'reembolsad[oa]|eliminad[oa]|rimborsat[oa]|eliminat[oa]|cancellat[oa]|terugbetaald|verwijderd|usunięt[eya]',
  ].join('|')})(?:$|[^\\p{L}])`,
  'iu',
);
const notToOrder = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    '(?:not|nicht|non|no)\\s+(?:yet\\s+)?(?:approved|authori[sz]ed|accepted|genehmigt|freigegeben|approuvée?|aprobad[oa]|approvat[oa])',
    "do\\s?n['o’]?t\\s+(?:order|ship|send|process|use|place)|(?:not|never)\\s+(?:to\\s+be\\s+)?order(?:ed)?",
    'already\\s+(?:shipped|sent|delivered|ordered|received|placed|paid|invoiced)|unapproved|disapproved',
    '(?:cancel|remove|delete|skip|ignore|omit|disregard)\\s+(?:this|these|the|it|line|item|row|order|below)',
    '(?:following|below)\\s+(?:are|is|were)\\s+(?:cancell?ed|void(?:ed)?|returned|returns|on\\s+hold|quotes?|examples?)',
    'bitte\\s+(?:nicht|stornieren|streichen|löschen)|annuler\\s+(?:cette|la)|cancelar\\s+(?:esta|la)',
    'for\\s+(?:information|reference)(?:\\s+only)?|(?:information|reference)\\s+only',
    '(?:nicht|bereits)\\s+(?:bestell(?:en|t)|(?:ge)?liefer[nt]|versend(?:en|et))|ne\\s+pas\\s+(?:commander|envoyer)|déjà\\s+(?:commandée?s?|livrée?s?)',
    'no\\s+(?:pedir|enviar)|ya\\s+(?:pedid[oa]|enviad[oa])s?|non\\s+ordinare|già\\s+ordinat[oaie]|niet\\s+bestellen|nie\\s+zamawiać',
  ].join('|')})(?:$|[^\\p{L}])`,
  'iu',
);

/** `DO NOT ORDER`, `already shipped`. Pure. */
export const isNotToOrder = (text: string): boolean => notToOrder.test(text);

/** Whether a status says that a line was cancelled, returned, deleted or rejected. Pure. */
export const saysGone = (text: string): boolean =>
  notToOrder.test(text) || (!not.test(text) && (readHeader(text).meanings.has('gone') || ended.test(text)));

/** A quotation is no order, whatever it is the quotation of. */
const isQuote = (text: string): boolean => {
  const { meanings, unknown } = readHeader(text);
  return (
    unknown === 0 &&
    meanings.has('quote') &&
    [...meanings].every((one) => ofLine.has(one) || one === 'quote' || one === 'open')
  );
};

/** Whether a status says so, or that there is no order yet. Pure. */
export const saysNoOrder = (text: string): boolean => saysGone(text) || isQuote(text);

/** Further words for lines that are complete, or not yet final, which are no words of headers. */
const openWords =
  /(?:^|[^\p{L}])(?:closed|completed?|done|finished|archived|draft|on[\s_-]?hold|pending approval|abgeschlossen|erledigt|entwurf|gesperrt|terminée?|clôturée?|brouillon|cerrad[oa]|completad[oa]|borrador|chius[oa]|completat[oa]|bozza|afgerond|gesloten|concept|zakończone|zamknięte)(?:$|[^\p{L}])/iu;

/** `Shipped`, `Closed`, `Draft`: a line that perhaps needs no order. Pure. */
export const mayNeedNone = (text: string): boolean => {
  if (text.length > 60 || not.test(text)) return false;
  const { meanings } = readHeader(text);
  return meanings.has('done') || meanings.has('billed') || openWords.test(text);
};

const otherQuantity =
  /(?:^|[^\p{L}])(?:(?:qty|quantity|menge|quantité|cantidad)\s+(?:should|must|to)\s+be|(?:change|correct)(?:ed)?\s+(?:qty|quantity|menge)?\s*to)(?:$|[^\p{L}])/iu;

const longestTitle = 3;

/** Whether a remark may say that the line is not to be ordered, or not as it is: `CANCELLED`, `do not ship`, `qty should be 40`. Pure. */
export const isGoneRemark = (text: string): boolean => {
  if (text.length > 200) return false;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return (
    notToOrder.test(text) || otherQuantity.test(text) || (words.length <= longestTitle && saysGone(text))
  );
};

/** Titles above rows that wait, were ordered before, or show how to fill in the file. */
const apart =
  /^(?:(?:all|open|our)\s+)?(?:next (?:week|month|year|season)(?:['’]?s)?(?: orders?)?|future(?: orders?)?|forecasts?|(?:quotes?|samples?) only|out of stock|discontinued|pending|later|back[\s-]?order(?:s|ed)?|wish\s?list|examples?|instructions?|(?:old|previous|past|earlier|prior|last (?:week|month|year)(?:['’]?s)?)\s+(?:orders?|pos?|items?|lines?)|(?:order|po|purchase)\s+history|history|rückstände?|nachlieferungen?|beispiele?|exemples?|ejemplos?|esemp[io]|frühere bestellungen|historique|reliquats?|pendientes?)$/i;

/**
 * Whether a title between the rows says that those below it are no orders: `Returns`, `Cancelled orders:`, `Shipped`,
 * `Backordered - do not order`. Pure.
 */
export const isGoneTitle = (text: string): boolean => {
  if (text.length > 200) return false;
  if (notToOrder.test(text)) return true;
  const words = text.split(/[^\p{L}\p{N}'’]+/u).filter((word) => word !== '');
  return (
    words.length <= longestTitle && (apart.test(words.join(' ')) || saysNoOrder(text) || mayNeedNone(text))
  );
};
