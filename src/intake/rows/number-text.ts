import type { IntakeOptions } from '../options.ts';

/** How a file writes numbers: the account's decimal sign, and whether cells can be numeric. */
type Spelling = Pick<IntakeOptions, 'decimal'> & { inSheet: boolean };

/** 1.125 in a sheet of an account with decimal commas is either the number 1.125 or text for 1125. */
export const isEitherNumber = (text: string, { decimal, inSheet }: Spelling): boolean =>
  inSheet && decimal === 'comma' && /^\d{1,3}\.\d{3}$/.test(text);

export const eitherNumber =
  'It is not clear whether this means thousands or three decimals. Enter a number with at most two decimals.';

/**
 * Why a number is refused whose separator may be a decimal sign or group thousands, if the account does not say which; undefined for any
 * other text.
 */
export const thousandsOrDecimals = (text: string, { decimal }: Spelling): string | undefined => {
  if (decimal !== undefined || !/^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.test(text)) return undefined;
  const [grouping, otherwise] = text.includes('.') ? ['comma', 'point'] : ['point', 'comma'];
  return `It is not clear whether this means thousands or decimals. Set intake.decimal of the account to ${grouping} if ${text} means thousands, otherwise to ${otherwise}, and correct the numbers of the file that are written in another way.`;
};

const spaced = /^[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?$/;
const bothSigns = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*(?!\1)([.,])\d+$/;

/** Why a number with clearly grouped thousands is refused, if the account does not set its decimal sign. */
export const thousandsApart = (text: string, { decimal }: Spelling): string | undefined => {
  if (decimal !== undefined) return undefined;
  const ways =
    'Numbers with grouped thousands are read where the account says which decimal sign its files have';
  const sign = bothSigns.exec(text)?.[2];
  if (sign !== undefined)
    return `${ways}: set intake.decimal to ${sign === '.' ? 'point' : 'comma'}, or enter the number without its thousands sign.`;
  return spaced.test(text)
    ? `${ways}: set intake.decimal to comma or to point, or enter ${text.replace(/[ '’]/g, '')}.`
    : undefined;
};

/** The number as plain decimal text (`1234.5`); undefined when the text is not a number in this spelling. */
export const decimalText = (text: string, spelling: Spelling): string | undefined => {
  const { decimal, inSheet } = spelling;
  if (isEitherNumber(text, spelling)) return undefined;
  // A numeric cell always has a point, even if the account uses decimal commas.
  if (inSheet && decimal === 'comma' && /^\d+\.\d+$/.test(text)) return text;
  if (decimal === undefined) return /^\d+(?:\.\d+)?$|^\.\d+$/.test(text) ? text : undefined;
  const [point, group] = decimal === 'comma' ? [',', '.'] : ['.', ','];
  // In many countries a space groups thousands, in Switzerland an apostrophe.
  const [whole = '', part, ...rest] = text.replace(/(?<=\d)[ '’](?=\d{3})/g, group).split(point);
  if (rest.length > 0 || (part !== undefined && !/^\d+$/.test(part))) return undefined;
  const groups = whole.split(group);
  const grouped = groups.length > 1;
  const good = grouped
    ? /^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((digits) => /^\d{3}$/.test(digits))
    : /^\d+$/.test(whole);
  return good ? `${groups.join('')}${part === undefined ? '' : `.${part}`}` : undefined;
};
