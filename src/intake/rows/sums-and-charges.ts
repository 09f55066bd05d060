import { headerKey } from '../columns/fields.ts';

/** The first words of a totals row, in the languages of headers. */
const totalsWords = [
  'total|totals|grand total|subtotal|sub total|sum|Summe|Zwischensumme|Gesamt|Gesamtsumme|Endsumme',
  'somme|sous-total|total général|totale|subtotale|suma|total general|totaal|subtotaal|razem',
  'celkem|итого|合計|小計|合计|小计|합계|소계',
].flatMap((words) => words.split('|'));

/** Charges that shops and ERP systems add below the goods of an order. */
const chargeWords = [
  'discount|coupon|shipping|shipping cost|shipping costs|shipping charge|shipping charges',
  'shipping fee|shipping & handling|shipping and handling|S&H|handling|handling fee|freight',
  'freight charge|freight charges|postage|delivery|delivery charge|delivery fee|surcharge',
  'deposit|bottle deposit|insurance|gift wrap|gift wrapping|restocking fee|core charge',
  'fuel surcharge|tax|taxes|sales tax|VAT|GST|HST|Versand|Versandkosten|Fracht|Frachtkosten|Porto',
  'Rabatt|MwSt|Mehrwertsteuer|USt|frais de port|frais de livraison|livraison|remise|TVA|envío',
  'gastos de envío|descuento|IVA|spedizione|spese di spedizione|sconto|frete|desconto',
  'verzendkosten|korting|BTW',
].flatMap((words) => words.split('|'));

const totals = new Set(totalsWords.map(headerKey));
const longTotals = [...totals].filter((word) => word.length >= 6);
const charges = new Set(chargeWords.map(headerKey));
const longestCharge = Math.max(...chargeWords.map((word) => word.length));

/** Whether a text is only a word for total. The digit test is faster than headerKey. Pure. */
export const isTotal = (text: string): boolean =>
  text.length <= 40 && !/\d/.test(text) && totals.has(headerKey(text));

/** Whether one of its words means total: `Order total`, `Gesamtmenge`. Pure. */
const hasTotal = (text: string): boolean =>
  text.length <= 80 &&
  !/\d/.test(text) &&
  text
    .split(/\s+/)
    .map(headerKey)
    .some((word) => totals.has(word) || longTotals.some((total) => word.startsWith(total)));

/** `Total lines`, `Summe: Positionen`. Pure. */
const isTotalInWords = (text: string): boolean =>
  !/\d/.test(text) && /^\p{L}+[\s:]+\p{L}/u.test(text) && hasTotal(text.split(/[\s:]/)[0]!);

/** The end of `P-1 Total`. */
export const totalAtEnd = /\s(?:sub\s?)?totals?:?$/i;

/** `2 items`, `Units`, `Carried forward`: the label of a sum. */
const besideSum =
  /^(?:(?:\d+\s+)?(?:items?|units?|pieces|pcs|lines?|each|stück|positionen|artikel|articles|pièces)|(?:(?:sum|total|amount)\s+)?(?:carried|brought)\s+(?:forward|over|down)|[bc]\/f|übertrag|report\s+à\s+nouveau|à\s+reporter)[:.]?$/iu;

/** The amount after a charge: `Discount 10%`, `SHIPPING 12.50`. In DISCOUNT-10 it is part of the item number. */
const rate = /(?:\s+[-(]?\s*[$€£]?\s*\d+(?:[.,]\d+)?\s*[$€£]?|\s*\d+(?:[.,]\d+)?\s*%)\)?$/;

const chargeIn = (text: string): string | undefined => {
  if (text.length > longestCharge + 20) return undefined;
  const name = /\d/.test(text) && /[\s%]/.test(text) ? text.replace(rate, '') : text;
  return !/\d/.test(name) && charges.has(headerKey(name)) ? name : undefined;
};

/** Whether a PO number is a label for a sum of lines: `Total lines`, `P-1 Total`. Pure. */
export const isSumOfLines = (poNumber: string): boolean =>
  isTotal(poNumber) || isTotalInWords(poNumber) || totalAtEnd.test(poNumber);

/** A text in the item column that may not be an item. */
export interface DoubtfulItem {
  /** The text without its amount or rate, which differs in each file. */
  name: string;
  /** What it usually means, as part of a sentence. */
  usually: string;
  /** It says not to order something. */
  saysNotToOrder?: boolean;
}

/** Why a text may not be an item: it names a sum or a charge. Only raises a question. Pure. */
export const doubtfulItem = (text: string): DoubtfulItem | undefined => {
  const charge = chargeIn(text);
  if (charge !== undefined) return { name: charge, usually: 'which is usually a charge and no item' };
  const isSum =
    isTotal(text) || hasTotal(text) || totalAtEnd.test(text) || (text.length <= 40 && besideSum.test(text));
  return isSum ? { name: text, usually: 'which is usually the sum of other lines and no item' } : undefined;
};
