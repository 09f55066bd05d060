import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import { isGoneRemark } from '../rows/gone-words.ts';
import type { ColumnNote } from './create-column-notes.ts';

const any = () => true;
const kit = /^(?:kit|bundle|bom|set|assembly|stückliste|nomenclature)s?$/i;
const ofItem = /^(?:sku|item|no|number|id|code|part|name|of|article)$/i;

/** `Parent SKU`, `Kit`: the line is a part of another one. */
export const partOf: ColumnNote = {
  code: 'part_of_another_line',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings, unknown } = readHeader(header);
    const isParent =
      unknown === 0 &&
      meanings.has('parent') &&
      (['item', 'sku', 'itemnumber', 'line'] satisfies Meaning[]).some((one) => meanings.has(one));
    const words = header.trim().split(/[^\p{L}]+/u);
    const isKit =
      words.some((word) => kit.test(word)) && words.every((word) => kit.test(word) || ofItem.test(word));
    return isParent || isKit ? (text) => !/^(?:0|no|n|false|-)$/i.test(text) : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" says that lines are parts of another one: ${shown}. A kit and its parts are lines of their own, each as its row says. Remove the rows that must not be ordered; ${ignore} if all of them must.`,
};

const partWord =
  /^(?:(?:kit|bundle|bom|set|sub)[\s_-]*)?(?:components?|child(?:ren)?|sub-?items?|sub-?lines?|part of (?:a )?(?:kit|bundle|set)|included|komponenten?|bestandteil|unterposition|composants?|componentes?|componenti?)$/i;

/** `Line Type: Component`. */
export const component: ColumnNote = {
  code: 'part_of_another_line',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings, unknown } = readHeader(header);
    const ofLine: readonly Meaning[] = ['kind', 'item', 'line', 'order', 'code', 'name'];
    const isKind =
      unknown === 0 && meanings.has('kind') && [...meanings].every((one) => ofLine.includes(one));
    return isKind ? (text) => partWord.test(text) : undefined;
  },
  message: partOf.message,
};

const replaced =
  /^(?:replac|supersed|substitut|succes|ersatz|ersetzt|nachfolge|remplac|sustitut|sostitu|vervang)/i;

/** `Replacement Part`, `Superseded by`: the item of the line may be no longer sold. */
export const replacement: ColumnNote = {
  code: 'replacement_not_read',
  about: 'unread',
  readerOf: ({ header }) =>
    header.length <= 40 && header.split(/[^\p{L}]+/u).some((word) => replaced.test(word)) ? any : undefined,
  message: ({ header, shown, ignore }) =>
    `The column "${header}" names other items: ${shown}. It is not read: the item of the line counts. Correct the lines that need the other item; ${ignore} if none does.`,
};

const ofPlace: ReadonlySet<Meaning> = new Set([
  'country',
  'ship',
  'recipient',
  'code',
  'name',
  'address',
  'customer',
] satisfies Meaning[]);
/** Where the states are that the service knows. */
const served =
  /^(?:us|usa|u\.\s?s\.(?:\s?a\.)?|840|united states(?: of america)?|vereinigte staaten.*|[ée]tats[ -]unis.*|estados unidos.*|stati uniti.*|ca|can|124|canada|kanada|pr|puerto rico|gu|guam|vi|as|mp)$/i;

/** `Ship Country: DE`. */
export const country: ColumnNote = {
  code: 'country_not_read',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings, unknown } = readHeader(header);
    return unknown === 0 && meanings.has('country') && [...meanings].every((one) => ofPlace.has(one))
      ? (text) => text.length <= 60 && !served.test(text)
      : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" names other countries: ${shown}. The service is told no country, only the other parts of the address. Check that it can deliver there; ${ignore} if it can.`,
};

/** `Comments: do not ship`. */
export const remark: ColumnNote = {
  code: 'remark_not_read',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings } = readHeader(header);
    return meanings.has('note') || meanings.has('description') ? isGoneRemark : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" may say that lines are not to be ordered, or not as they are: ${shown}. They are not skipped. Remove or correct their rows; ${ignore} if it does not matter here.`,
};

/** The same in a column that is sent as the note of the line. */
export const sentRemark: ColumnNote = {
  code: 'remark_not_obeyed',
  about: 'read',
  readerOf: ({ field }) => (field === 'note' ? isGoneRemark : undefined),
  message: ({ header, shown }) =>
    `The column "${header}" may say that lines are not to be ordered, or not as they are: ${shown}. They are not skipped, and this text is their note. Remove or correct their rows.`,
};

/** Names of a second quantity without a word for one: `Now`, `+/-`, `Final`, `B/O`. */
const bareQuantity =
  /^(?:now|corr\.?|corrected|correction|final|\+\s*\/\s*[-−–]|±|new|revised|rev\.?|chang(?:e|ed)|delta|adj\.?|adjust(?:ed|ment)|confirmed|conf\.?|b\/?o|back\s?-?order(?:ed)?|free|bonus|foc|cut|actual|neu|korrektur|bestätigt|confirmée?|gratis)(?:[\s_-]*(?:qty|quantity|menge))?$/iu;
/** `Open Qty: 6`, of a quantity of 10. */
const isOpenQuantity = (header: string): boolean => {
  const { meanings, unknown } = readHeader(header);
  return (
    unknown === 0 &&
    meanings.has('open') &&
    !/back/i.test(header) &&
    (meanings.has('quantity') || meanings.has('pieces')) &&
    !meanings.has('price')
  );
};

/** `Allocated Qty: 0`, beside a quantity of 3: words that make it another number, but nobody here knows which. */
export const otherQuantity: ColumnNote = {
  code: 'other_quantity',
  about: 'unread',
  readerOf: ({ header }) => {
    if (bareQuantity.test(header.trim()) || isOpenQuantity(header))
      return (text, quantity) =>
        /^[+−-]?\d{1,6}(?:[.,]0+)?$/.test(text) && !/^0/.test(text) && text !== quantity;
    const { meanings, unknown } = readHeader(header);
    const others: readonly Meaning[] = ['done', 'open', 'billed', 'gone', 'stock', 'two', 'three'];
    const fits =
      unknown > 0 &&
      (meanings.has('quantity') || meanings.has('pieces')) &&
      others.every((one) => !meanings.has(one)) &&
      !/\b(?:pack|case|carton|box|min(?:imum)?|max(?:imum)?|moq|per|prev(?:ious)?|avg|average|sold|last)\b/i.test(
        header,
      );
    return fits ? (text, quantity) => /^\d{1,6}(?:[.,]0+)?$/.test(text) && text !== quantity : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" has other numbers than the quantity: ${shown}. It is not read. If it is what is to be ordered, map it to quantity in intake.columns of the account; otherwise ${ignore}.`,
};

const further: readonly Meaning[] = [
  'item',
  'sku',
  'itemnumber',
  'quantity',
  'pieces',
  'number',
  'code',
  'ordered',
];

/** `SKU 2`, `Qty 2`: a row with several items. */
export const furtherItem: ColumnNote = {
  code: 'further_item_not_read',
  about: 'unread',
  readerOf: ({ header }) => {
    const { meanings, unknown } = readHeader(header);
    const isFurther =
      unknown === 0 &&
      (meanings.has('two') || meanings.has('three')) &&
      (['item', 'sku', 'itemnumber', 'quantity', 'pieces'] satisfies Meaning[]).some((one) =>
        meanings.has(one),
      ) &&
      [...meanings].every((one) => one === 'two' || one === 'three' || further.includes(one));
    return isFurther ? any : undefined;
  },
  message: ({ header, shown, ignore }) =>
    `The column "${header}" seems to belong to a further item of the row: ${shown}. Only one item of a row is read. Give each item a row of its own; ${ignore} if it is none.`,
};

/** `Price Unit: 100`: the price is that of a hundred pieces. */
export const priceUnit: ColumnNote = {
  code: 'price_unit_not_read',
  about: 'unread',
  readerOf: ({ header }) =>
    /^\s*(?:price[\s_-]*(?:unit|per|basis)|per|peinh|preis(?:einheit|basis)|unité de prix|unidad de precio)\s*$/i.test(
      header,
    )
      ? (text) => /^\d+(?:[.,]\d+)?$/.test(text) && !/^1(?:[.,]0+)?$/.test(text)
      : undefined,
  message: ({ header, shown, ignore }) =>
    `The column "${header}" says that prices are for more than one piece: ${shown}. It is not read: prices of the file are taken as those of one piece, also by the price guard. Divide them, or do not map their column; ${ignore} if it means something else.`,
};
