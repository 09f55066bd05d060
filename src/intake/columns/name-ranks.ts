import {
  bareFieldOf,
  type FieldName,
  fieldOfHeader,
  headerKey,
  isRequired,
  type RequiredField,
} from './fields.ts';
import type { Meaning } from './header-words.ts';
import { type HeaderReading, readHeader } from './read-header.ts';

/** How well a header names a field: 0 not at all; from `clearName` on, it hardly means anything else. */
export type Ranks = Record<RequiredField, number>;

export const clearName = 6;

const words = (text: string) => new Set(text.split(' ') as Meaning[]);

/** Any other word makes the header mean something else (`Order Date`, `Vendor Code`, `Qty Shipped`). */
const fitting: Record<RequiredField, ReadonlySet<Meaning>> = {
  po_number: words(
    'po order purchase sale document reference number id code customer internal shop own parent name',
  ),
  item_sku: words(
    'item itemnumber sku style variant vendor manufacturer number id code reference name internal shop own line order quote',
  ),
  quantity: words(
    'quantity pieces ordered requested expected order purchase po sale item itemnumber number own shop line amount',
  ),
};

/** The penalty for an unknown word: `Qty Moved` and `Component Item` are probably something else. */
const unknownWord: Record<RequiredField, number> = { po_number: 2.5, item_sku: 2.5, quantity: 3.5 };

type Has = (...meanings: Meaning[]) => boolean;

/** `has`: the header has all of these meanings; `only`: it has no other. */
const asksOf = ({ meanings }: HeaderReading): { has: Has; only: Has } => {
  const has: Has = (...all) => all.every((one) => meanings.has(one));
  return { has, only: (...all) => meanings.size === all.length && has(...all) };
};

/** Rank of `Num` and `No.`, which may number anything. */
const barePo = 2.5;

/** Rank of `Supplier Ref` and `Vendor Code`: the supplier's item number, or the number of the supplier itself. Unique to these names. */
export const vendorsNumber = 4.25;

const poRank = (has: Has, only: Has): number => {
  // Beside `Purchase Order Number`, an ID is the internal ID of the ordering system.
  const system = has('id') && !has('number') ? 1 : 0;
  if (has('po') || has('purchase', 'order')) return (has('parent') ? 5 : has('customer') ? 7 : 8) - system;
  const by = (['number', 'reference', 'id', 'document', 'code'] as const).find((one) => has(one));
  const less = has('customer') ? 2 : has('internal') || has('parent') ? 1 : 0;
  if (has('order'))
    return { number: 6.5, reference: 6, id: 6, document: 6, code: 5, none: 4.5 }[by ?? 'none'] - less;
  if (has('purchase') && by && by !== 'reference') return by === 'number' ? 6 : 5;
  if (has('sale') && by) return 5 - less;
  if (has('document') && !has('purchase')) return has('id') ? 0 : 4 - less;
  if (has('document', 'purchase')) return 7;
  if (has('reference')) return 2.5 - less;
  if (has('parent', 'id')) return 2.5;
  if (only('number')) return barePo;
  return only('name') || only('id') ? 1.5 : 0;
};

/** The item number in ERP systems; elsewhere the material, such as cotton or steel, so the values must agree. */
const erpItem: ReadonlySet<string> = new Set(['material', 'materiał', 'materiaal']);

const numberWords = ['reference', 'code', 'number'] as const;

/** Supplier numbers in words that have other meanings elsewhere: `Lev. artikelnr`, `EXTERNALITEMNUMBER`. */
const vendorsItem =
  /^lev(?:art|var)|^extern\p{L}*(?:item|art|product|material)|^vnd(?:or)?it|(?:^|item|art\p{L}*)(?:your|ihre?|votre|vuestr[ao]|vostr[ao]|uw)(?:sku|item|art|part|code|ref|mat|prod|n[or]$|num)/u;
/** The seller's item number, beside that of a marketplace. */
const sellersItem = /seller|merchant|판매자|商家|出品者|vendeur|verkaeufer|händler/u;

const itemRank = (has: Has, only: Has, own: string): number => {
  if (has('customer') || (has('quote') && !has('sku'))) return 0;
  const isVariant = has('variant');
  if (isVariant && !has('sku') && !has('code') && !has('id') && !has('number') && !has('reference')) return 0;
  const isVendors = has('vendor') || vendorsItem.test(own);
  const named =
    vendorsItem.test(own) || has('item') || has('sku') || has('itemnumber') || has('style') || isVariant;
  if (has('line') && !has('sku') && !has('code')) return 0;
  // `Bestelcode leverancier` is the supplier's order code of an item.
  if (isVendors && !named) return !has('name') && numberWords.some((one) => has(one)) ? vendorsNumber : 0;
  if (has('order') && !has('sku') && !has('itemnumber')) return 0;
  const plain = (): number => {
    if (has('name')) return has('item') ? 1 : 0;
    if (has('sku')) return has('id') && !has('number') ? 6 : 7;
    if (has('itemnumber') || has('item', 'number') || has('item', 'code') || has('variant', 'code')) return 6;
    if (has('item', 'reference')) return 5.5;
    if (has('item', 'id') || has('variant', 'id')) return 3.5;
    if (erpItem.has(own)) return 5;
    if (has('item')) return 3;
    if (has('style')) return 2.5;
    if (only('code') || only('code', 'reference')) return 3;
    return only('reference') || only('number') || only('reference', 'number') ? 2.5 : 0;
  };
  // The supplier's number is the one that it knows; the maker's is different.
  if (isVendors && named) return has('name') ? 5 : 8;
  if (has('manufacturer'))
    return named || numberWords.some((one) => has(one)) ? Math.min(2, plain() || 2) : 0;
  const base = plain();
  return base === 0 ? 0 : base - (has('own') || has('internal') ? 1 : 0) + (sellersItem.test(own) ? 1 : 0);
};

const quantityRank = (has: Has): number => {
  const sum = has('amount') ? 3 : 0;
  if (has('quantity')) {
    const more = has('order') || has('ordered') || has('purchase') || has('po') || has('requested') ? 1 : 0;
    return 6 + more + (has('item') ? 0.5 : 0) - sum - (has('expected') ? 1 : 0);
  }
  if (has('pieces')) return 4.5 - sum;
  return (has('ordered') || has('requested')) && !has('number') ? 3 - sum : 0;
};

/** The quantity after refunds is the one to deliver, but `Quantity` alone is the better name. */
const lessRefunds = /\(\s*[-–]\s*refunds?\s*\)/iu;

/** Ranks a header for the required fields. Pure. */
export const rankName = (header: string, reading: HeaderReading = readHeader(header)): Ranks => {
  if (lessRefunds.test(header)) {
    const { quantity } = rankName(header.replace(lessRefunds, ' '));
    return { po_number: 0, item_sku: 0, quantity: Math.max(0, Math.min(quantity, clearName) - 1.5) };
  }
  const { has, only } = asksOf(reading);
  const fits = (field: RequiredField) => [...reading.meanings].every((one) => fitting[field].has(one));
  const own = headerKey(header);
  const unknownIn = (field: RequiredField) =>
    field === 'item_sku' && vendorsItem.test(own) ? 0 : reading.unknown;
  const rank = (field: RequiredField, value: number) =>
    fits(field) ? Math.max(0, value - unknownIn(field) * unknownWord[field]) : 0;
  const exactly = (field: string) => own === headerKey(field);
  const alias = fieldOfHeader(header);
  // A recognised header counts whatever its words mean.
  const known = (field: RequiredField) => (alias === field && !vague.has(own) ? clearName : 0);
  return {
    po_number: exactly('po_number') ? 9 : Math.max(rank('po_number', poRank(has, only)), known('po_number')),
    item_sku: exactly('item_sku')
      ? 9
      : Math.max(rank('item_sku', itemRank(has, only, own)), known('item_sku')),
    quantity: exactly('quantity') ? 9 : Math.max(rank('quantity', quantityRank(has)), known('quantity')),
  };
};

/** Whether a header could name the field in unknown words: none of its words means something else. Pure. */
export const mayName = (header: string, field: RequiredField): boolean =>
  // EMPLOYEEID is one unknown word, but obviously an ID.
  !/id\s*$/i.test(header) &&
  rankOthers(header).length === 0 &&
  [...readHeader(header).meanings].every((one) => fitting[field].has(one));

/** Recognised headers that can also mean something else: a name, a line number, a shelf location. */
const vague: ReadonlySet<string> = new Set(['item', 'part', 'poid', 'productid']);

type OtherField = Exclude<FieldName, RequiredField | 'item_id'>;

const place = words('ship recipient customer number line own stop shop code contact name company');
const person = words('ship recipient customer name one');
type Other = [OtherField, Meaning, ReadonlySet<Meaning>, (has: Has, only: Has) => number];

const where = (has: Has) => (has('ship') || has('recipient') ? 5 : has('customer') || has('contact') ? 2 : 3);
const nowhere = (has: Has) =>
  has('company') || has('name') || (has('contact') && !has('ship') && has('number'));
const part = (
  field: OtherField,
  meaning: Meaning,
  more: string,
  fits: (has: Has) => boolean = () => true,
): Other => [
  field,
  meaning,
  new Set([...place, ...words(more), meaning]),
  // `Shipping Street` may hold both address lines; `Shipping Address1` is only the first.
  (has) => (nowhere(has) || !fits(has) ? 0 : where(has) + (has('one') ? 0.25 : 0)),
];

const unit = words(
  'unitprice price cost each item vendor own line po order amount quantity purchase per pieces uom tax taxed expected',
);
/** A unit price: `Price per unit`, `Preis/Stk.`, `Direct Unit Cost Excl. VAT`; not a tax rate. */
const unitPrice = (has: Has, bare: number): number => {
  if (has('amount') || (has('tax') && !has('taxed')) || (has('quantity') && !has('each'))) return 0;
  if (has('each') || has('expected') || (has('per') && (has('pieces') || has('uom')))) return 5;
  return has('purchase') || has('pieces') ? 4 : bare;
};
const ofNotes = words('note vendor customer remit order line item ship own reference number po');

const isFirstLine = (has: Has) => (!has('customer') || has('ship')) && (!has('two') || has('one'));
const others: Other[] = [
  part('ship_address1', 'address', 'one two', isFirstLine),
  part('ship_address2', 'address', 'two', (has) => has('two') && !has('one')),
  part('ship_address3', 'address', 'three', (has) => has('three')),
  part('ship_city', 'city', 'address'),
  part('ship_state', 'state', 'address'),
  part('ship_zip', 'zip', 'address'),
  part('ship_phone', 'phone', 'address'),
  part('email', 'email', 'address'),
  ['ship_name', 'name', person, (has) => (has('ship') || has('recipient') ? 5 : has('customer') ? 2 : 0)],
  ['ship_name', 'recipient', words('recipient ship'), () => 4],
  ['ship_via', 'via', words('via ship code'), (has) => (has('ship') ? 5 : 0)],
  ['note', 'note', ofNotes, () => 3],
  ['expected_price', 'unitprice', unit, (has) => (has('amount') || (has('tax') && !has('taxed')) ? 0 : 5)],
  ['expected_price', 'price', unit, (has) => unitPrice(has, 2)],
  ['expected_price', 'cost', unit, (has) => unitPrice(has, 2)],
  ['expected_price', 'each', unit, (has, only) => (has('amount', 'quantity') ? 4 : only('each') ? 2 : 0)],
];

/** Rank of a name that a person has to confirm. */
const bareRank = 2.5;

/** Ranks a header for the other fields that a proposal may have, best first. Pure. */
export const rankOthers = (header: string): { field: OtherField; rank: number }[] => {
  const reading = readHeader(header);
  const { meanings, unknown } = reading;
  const { has, only } = asksOf(reading);
  const alias = fieldOfHeader(header);
  const ranked = others.flatMap(([field, meaning, fits, rankOf]) => {
    if (!meanings.has(meaning) || unknown > 0 || ![...meanings].every((one) => fits.has(one))) return [];
    const rank = rankOf(has, only);
    return rank > 0 ? [{ field, rank }] : [];
  });
  if (alias && !isRequired(alias))
    ranked.push({ field: alias as OtherField, rank: headerKey(alias) === headerKey(header) ? 6 : 3.5 });
  const bare = bareFieldOf(header) as OtherField | undefined;
  if (bare) ranked.push({ field: bare, rank: bareRank });
  return ranked.sort((a, b) => b.rank - a.rank);
};
