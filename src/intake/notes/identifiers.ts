import type { ColumnNote } from './column-notes.ts';

const tail = /^\d+\.0{1,2}$/;

/** 4500081.0: a program wrote a number with decimals where an identifier belongs. */
export const decimalTail: ColumnNote = {
  code: 'decimals_in_identifier',
  readerOf: ({ field }) =>
    field === 'po_number' || field === 'item_sku' || field === 'item_id' || field === 'ship_zip'
      ? (text) => text.endsWith('0') && tail.test(text)
      : undefined,
  message: ({ header, shown, text }) =>
    `The column "${header}" has numbers with decimals: ${shown}. They are taken as they are; the program that wrote the file has probably added the decimals. Write ${text.replace(/\..*/, '')} if that is what ${text} means.`,
};

/** 1.000 in an account with decimal points, where other quantities are written as 5: it may mean a thousand. */
export const threeDecimals: ColumnNote = {
  code: 'three_decimals',
  readerOf: ({ field }, { decimal }) => {
    if (field !== 'quantity' || decimal === undefined) return undefined;
    const form = decimal === 'point' ? /^[1-9]\d{0,2}\.000$/ : /^[1-9]\d{0,2},000$/;
    return (text) => form.test(text);
  },
  message: ({ header, shown, text }) =>
    `The column "${header}" has quantities with three decimals, unlike most of its rows: ${shown}. ${text} is read as ${text.replace(/[.,].*/, '')}, because intake.decimal of the account says so. Correct it if it means thousands.`,
  atMost: 0.5,
};
