import { xmlText } from './cells.ts';

/** Cell colours, pale enough for black text to be easy to read. */
const fills = {
  green: 'FFE2F0D9',
  blue: 'FFDDEBF7',
  yellow: 'FFFFF2CC',
  red: 'FFF8CBAD',
  grey: 'FFEDEDED',
  header: 'FFD9D9D9',
} as const;
export type Fill = keyof typeof fills;

export interface CellStyle {
  fill?: Fill | undefined;
  bold?: boolean;
  wrap?: boolean;
  /** Right-aligned with a gap, so that a number does not touch the text beside it. */
  padded?: boolean;
  /** Blue and underlined, like a web link. */
  link?: boolean;
  struck?: boolean;
  /** A number format code; with `@` (text) a cell stays text when it is edited. */
  format?: string | undefined;
}

/** The cell styles of one workbook, numbered in order of first use. */
export interface Styles {
  numberOf(style: CellStyle): number;
  /** The workbook's styles part, with every style that was used. */
  xml(): string;
}

const fillNames = Object.keys(fills) as Fill[];
// Every workbook has fills 0 and 1; custom format codes start at 164.
const fillNumber = (fill: Fill | undefined) => (fill === undefined ? 0 : 2 + fillNames.indexOf(fill));
const firstOwnFormat = 164;
const builtInFormats = new Map([
  ['General', 0],
  ['@', 49],
]);

const solid = (argb: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${argb}"/><bgColor indexed="64"/></patternFill></fill>`;
const font = (before: string, colour = '') =>
  `<font>${before}<sz val="11"/>${colour}<name val="Calibri"/></font>`;
const fonts = [font(''), font('<b/>'), font('<u/>', '<color rgb="FF0563C1"/>'), font('<strike/>')];
const fontNumber = ({ bold, link, struck }: CellStyle) => (struck ? 3 : link ? 2 : bold ? 1 : 0);

export const createStyles = (): Styles => {
  const formats: string[] = [];
  const formatNumber = (code: string): number => {
    const builtIn = builtInFormats.get(code);
    if (builtIn !== undefined) return builtIn;
    if (!formats.includes(code)) formats.push(code);
    return firstOwnFormat + formats.indexOf(code);
  };
  // By format, then by everything else as one number: looked up for each cell, so it must not build strings.
  const numbers = new Map<string, number[]>();
  const all: string[] = [];
  const numberOf = (style: CellStyle): number => {
    const { fill, wrap = false, padded = false, format = 'General' } = style;
    const fontId = fontNumber(style);
    const rest = (fillNumber(fill) * fonts.length + fontId) * 4 + (padded ? 2 : 0) + (wrap ? 1 : 0);
    let ofFormat = numbers.get(format);
    if (ofFormat === undefined) {
      ofFormat = [];
      numbers.set(format, ofFormat);
    }
    const known = ofFormat[rest];
    if (known !== undefined) return known;
    const attributes = `numFmtId="${formatNumber(format)}" fontId="${fontId}" fillId="${fillNumber(fill)}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"`;
    all.push(
      wrap || padded
        ? `<xf ${attributes} applyAlignment="1"><alignment${padded ? ' horizontal="right" indent="1"' : ''}${wrap ? ' vertical="top" wrapText="1"' : ''}/></xf>`
        : `<xf ${attributes}/>`,
    );
    ofFormat[rest] = all.length - 1;
    return all.length - 1;
  };
  numberOf({});
  return {
    numberOf,
    xml: () =>
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      (formats.length > 0
        ? `<numFmts count="${formats.length}">${formats.map((code, at) => `<numFmt numFmtId="${firstOwnFormat + at}" formatCode="${xmlText(code)}"/>`).join('')}</numFmts>`
        : '') +
      `<fonts count="${fonts.length}">${fonts.join('')}</fonts>` +
      `<fills count="${2 + fillNames.length}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fillNames.map((name) => solid(fills[name])).join('')}</fills>` +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${all.length}">${all.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  };
};
