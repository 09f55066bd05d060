import type { CartOptionName } from '../../contract/carts.ts';
import type { CartOptionValues } from '../types.ts';

/** The possible fields of a column: those of spec 2.1 and 2.3 by their API names, and expected_price. */
export type FieldName =
  | 'po_number'
  | 'item_sku'
  | 'item_id'
  | 'quantity'
  | 'note'
  | 'expected_price'
  | CartOptionName;

/**
 * How a cell of this field is read: an `identifier` must be kept exactly, a `code` is one of a list, a `flag` is yes or
 * no, `text` is for people.
 */
export type FieldKind = 'identifier' | 'text' | 'code' | 'flag' | 'quantity' | 'price' | 'last_four';

interface Field {
  kind: FieldKind;
  /** Header texts that mean only this, in addition to the API name, separated by spaces, in the form of `headerKey`. */
  aliases: string;
  /** Header texts that often mean this but could mean something else, so a person must confirm. */
  bare?: string;
}

/** In the usual order of columns. */
export const fields: Record<FieldName, Field> = {
  po_number: {
    kind: 'identifier',
    aliases:
      'po pono ponum ponr poid purchaseorder purchaseordernumber purchaseorderno purchaseordernum purchaseorderid customerpo customerponumber customerpono custpo custponumber custpono dealerpo dealerponumber dealerpono',
  },
  item_sku: {
    kind: 'identifier',
    aliases:
      'sku item itemno itemnum itemnumber itemcode part partno partnum partnumber productsku productcode productno productnumber stockcode stocknumber articleno articlenumber',
  },
  item_id: { kind: 'identifier', aliases: 'productid' },
  quantity: {
    kind: 'quantity',
    aliases:
      'qty orderqty orderquantity qtyordered quantityordered orderedqty orderedquantity itemqty lineqty',
  },
  note: { kind: 'text', aliases: 'notes itemnote itemnotes linenote linenotes' },
  expected_price: {
    kind: 'price',
    aliases: 'expectedunitprice expecteddealerprice expectedcost',
  },
  ship_to: {
    kind: 'identifier',
    aliases: 'shiptonumber shiptono shiptonum shiptoid shiptocode shiptoaccount',
  },
  ship_name: { kind: 'text', aliases: 'shiptoname shippingname', bare: 'recipient recipientname' },
  ship_address1: {
    kind: 'text',
    aliases: 'shipaddress shiptoaddress shiptoaddress1 shiptoaddressline1 shippingaddress shippingaddress1',
    bare: 'address address1 addressline1 street',
  },
  ship_address2: {
    kind: 'text',
    aliases: 'shiptoaddress2 shiptoaddressline2 shippingaddress2',
    bare: 'address2 addressline2',
  },
  ship_address3: {
    kind: 'text',
    aliases: 'shiptoaddress3 shiptoaddressline3 shippingaddress3',
    bare: 'address3 addressline3',
  },
  ship_city: { kind: 'text', aliases: 'shiptocity shippingcity', bare: 'city town' },
  ship_state: {
    kind: 'text',
    aliases: 'shiptostate shippingstate',
    bare: 'state st stateprovince province',
  },
  ship_zip: {
    kind: 'identifier',
    aliases:
      'shipzipcode shiptozip shiptozipcode shippingzip shippingzipcode shippostalcode shiptopostalcode shippingpostalcode',
    bare: 'zip zipcode postal postalcode postcode',
  },
  ship_phone: {
    kind: 'identifier',
    aliases: 'shiptophone shippingphone',
    bare: 'phone phonenumber phoneno telephone tel',
  },
  email: { kind: 'text', aliases: 'shipemail shiptoemail', bare: 'emailaddress mail' },
  default_warehouse: {
    kind: 'code',
    aliases: 'defaultwarehousecode',
    bare: 'warehouse whse wh warehousecode',
  },
  ship_via: {
    kind: 'code',
    aliases: 'shipviacode',
    bare: 'shipmethod shippingmethod shippingcode shippingservice',
  },
  cross_ship_via: { kind: 'code', aliases: 'crossshipmethod crossshippingmethod' },
  allow_backorder: { kind: 'flag', aliases: 'allowbackorders backordersallowed backorderallowed' },
  hold_order: { kind: 'flag', aliases: '', bare: 'hold' },
  multiple_warehouse: { kind: 'flag', aliases: 'multiplewarehouses multiwarehouse' },
  proof_of_delivery: { kind: 'flag', aliases: '', bare: 'pod signature signaturerequired' },
  promo_code: { kind: 'identifier', aliases: 'promotioncode', bare: 'promo' },
  pay_type: { kind: 'code', aliases: '', bare: 'paymenttype paymentmethod' },
  cc_last_four: {
    kind: 'last_four',
    aliases: 'cclast4 ccl4 cardlastfour cardlast4 creditcardlastfour creditcardlast4',
  },
  comment1: { kind: 'text', aliases: '', bare: 'comment comments' },
  comment2: { kind: 'text', aliases: '' },
  description: { kind: 'text', aliases: 'cartdescription orderdescription' },
};

export const fieldNames = Object.keys(fields) as [FieldName, ...FieldName[]];

/** The PO number and the fields of a line. All other fields are cart options. */
export const lineFields: ReadonlySet<FieldName> = new Set([
  'po_number',
  'item_sku',
  'item_id',
  'quantity',
  'note',
  'expected_price',
] satisfies FieldName[]);

/** In the order of `optionsText`: shorter names first, then alphabetical. */
export const cartOptionNames = fieldNames
  .filter((name) => !lineFields.has(name))
  .sort((a, b) => a.length - b.length || (a < b ? -1 : 1)) as CartOptionName[];

/** JSON.stringify is slow, and most values need no escaping. */
const asJson = (value: string | boolean): string =>
  typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value) ? `"${value}"` : JSON.stringify(value);

/**
 * Cart options as canonical JSON text without blank ones, written exactly as Postgres writes a jsonb (shorter names
 * first, then by code point; a space after each colon and comma). Equal options therefore have equal texts, whether
 * written here or merged in the ledger, and the ledger hashes them without parsing.
 */
export const optionsText = (values: CartOptionValues): string => {
  let text = '';
  for (const name of cartOptionNames) {
    const value = values[name];
    if (value !== undefined) text += `${text === '' ? '{' : ', '}"${name}": ${asJson(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
};

/** Normalizes a header for comparison: ignores case, spaces, punctuation and byte order mark. */
export const headerKey = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const byKey = new Map<string, FieldName>();
const byBareKey = new Map<string, FieldName>();
for (const name of fieldNames) {
  // A `description` column describes the item.
  if (name !== 'description') byKey.set(headerKey(name), name);
  const { aliases, bare = '' } = fields[name];
  for (const alias of aliases.split(' ')) if (alias !== '') byKey.set(alias, name);
  for (const alias of bare.split(' ')) if (alias !== '') byBareKey.set(alias, name);
}

/** The field that a header names by its API name or an alias. */
export const fieldOfHeader = (header: string): FieldName | undefined => byKey.get(headerKey(header));

/** The field that a bare name such as `City` or `Hold` may mean; read only after a person agreed. */
export const bareFieldOf = (header: string): FieldName | undefined => byBareKey.get(headerKey(header));

/** Whether a column has numbers, which spreadsheets show in several ways. */
export const holdsNumber = (field: FieldName): boolean =>
  fields[field].kind === 'quantity' || fields[field].kind === 'price';

/** Whether a column says which item is ordered. */
export const isItem = (field: FieldName | null | undefined): boolean =>
  field === 'item_sku' || field === 'item_id';

/** The fields without which nothing can be ordered. `item_id` in place of `item_sku` will do. */
export const requiredFields = ['po_number', 'item_sku', 'quantity'] as const satisfies readonly FieldName[];
export type RequiredField = (typeof requiredFields)[number];

/** The fields that every file needs, as a column or a constant; one of each list is enough. */
export const requiredInFile: readonly FieldName[][] = [['po_number'], ['item_sku', 'item_id'], ['quantity']];

/** Whether a column holds one of them. */
export const isRequired = (field: FieldName | null): boolean =>
  isItem(field) || requiredFields.some((one) => one === field);
