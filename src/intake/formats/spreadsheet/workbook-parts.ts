import { posix } from 'node:path';
import { FileRefused } from '../../../errors.ts';
import { damaged } from './refused-workbook.ts';
import { createXmlReader, readXml } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

export interface SheetPart {
  name: string;
  hidden: boolean;
  part: string;
}

export interface WorkbookParts {
  sheets: SheetPart[];
  date1904: boolean;
  sharedStrings: string[];
  /** Shared strings with struck-out, superscript or subscript text; undefined if there are none. */
  struckStrings: ReadonlySet<number> | undefined;
  raisedStrings: ReadonlySet<number> | undefined;
  /** Number format codes by cell style. */
  formats: string[];
  /** Cell styles whose font is struck out; undefined if there are none. */
  struckStyles: ReadonlySet<number> | undefined;
  /** Conditional formatting may strike out cells. */
  strikesByCondition: boolean;
}

export const smallPart = 64 * 1024 * 1024;

/** Decodes `_x000D_`, which workbooks write for characters that XML cannot contain. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (written, hex: string) => {
        const character = String.fromCharCode(Number.parseInt(hex, 16));
        // NUL and lone surrogates stay encoded, because no text may contain them.
        return character !== '\0' && character.isWellFormed() ? character : written;
      })
    : text;

/** The parts that a part refers to, by relationship ID. */
export const relationships = async (
  zip: ZipParts,
  part: string,
): Promise<Map<string, { type: string; target: string }>> => {
  const folder = posix.dirname(part);
  const rels = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const found = new Map<string, { type: string; target: string }>();
  if (!zip.has(rels)) return found;
  readXml(rels, await zip.text(rels, smallPart), {
    open: (name, { Id, Type, Target, TargetMode }) => {
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      found.set(Id, { type: posix.basename(Type), target });
    },
  });
  return found;
};

const rootTarget = async (zip: ZipParts): Promise<string | undefined> => {
  let target: string | undefined;
  readXml('_rels/.rels', await zip.text('_rels/.rels', smallPart), {
    open: (name, { Type, Target }) => {
      if (name === 'Relationship' && Type?.endsWith('/officeDocument') && Target)
        target = Target.replace(/^\/+/, '');
    },
  });
  return target;
};

/** The workbook's part: as declared by the archive, or the usual path. */
const workbookPart = async (zip: ZipParts): Promise<string> => {
  const named = zip.has('_rels/.rels') ? await rootTarget(zip) : undefined;
  return named !== undefined && zip.has(named) ? named : 'xl/workbook.xml';
};

const orNone = <T>(set: Set<T>): ReadonlySet<T> | undefined => (set.size > 0 ? set : undefined);

/** A flag element such as `<strike/>` or `<strike val="0"/>`. */
const isOn = (value: string | undefined) => value !== '0' && value !== 'false';

const readSharedStrings = async (
  zip: ZipParts,
  part: string,
  maxBytes: number,
): Promise<Pick<WorkbookParts, 'sharedStrings' | 'struckStrings' | 'raisedStrings'>> => {
  if (zip.sizeOf(part) > maxBytes) {
    throw new FileRefused(
      'too_much_memory',
      `The texts of the workbook have ${zip.sizeOf(part)} bytes, more than fits into the allowed memory. Remove unneeded content, split the workbook, or send it as CSV.`,
    );
  }
  const strings: string[] = [];
  const struck = new Set<number>();
  const raised = new Set<number>();
  let text = '';
  /** The open elements. Only `t` within `si`, or within a run `r` of it, holds text. */
  const path: string[] = [];
  let inText = false;
  const reader = createXmlReader(part, {
    open: (name, { val }) => {
      path.push(name);
      if (name === 'strike' && path[3] === 'rPr' && isOn(val)) struck.add(strings.length);
      if (name === 'vertAlign' && path[3] === 'rPr' && val !== 'baseline') raised.add(strings.length);
      if (path.length === 2 && name === 'si') text = '';
      inText = name === 't' && (path.length === 3 || (path.length === 4 && path[2] === 'r'));
    },
    text: (more) => {
      if (inText) text += more;
    },
    close: (name) => {
      path.pop();
      inText = false;
      if (path.length === 1 && name === 'si') strings.push(unescapeText(text));
    },
  });
  for await (const piece of zip.pieces(part)) reader.write(piece);
  reader.end();
  return { sharedStrings: strings, struckStrings: orNone(struck), raisedStrings: orNone(raised) };
};

/** Built-in number formats for dates and times, which workbooks do not define (ECMA-376 part 1, 18.8.30). */
const builtIn: Record<number, string> = {
  ...Object.fromEntries([14, 15, 16, 17, 22].map((id) => [id, 'yyyy-mm-dd'])),
  ...Object.fromEntries([18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'hh:mm:ss'])),
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'])),
};

const readFormats = async (
  zip: ZipParts,
  part: string,
): Promise<Pick<WorkbookParts, 'formats' | 'struckStyles' | 'strikesByCondition'>> => {
  const codes = new Map<number, string>(Object.entries(builtIn).map(([id, code]) => [Number(id), code]));
  const formats: string[] = [];
  const struckFonts = new Set<number>();
  const struckStyles = new Set<number>();
  let fonts = 0;
  let inFonts = false;
  let inCells = false;
  let inConditional = false;
  let strikesByCondition = false;
  readXml(part, await zip.text(part, smallPart), {
    open: (name, { numFmtId, formatCode, fontId, val }) => {
      if (name === 'fonts') inFonts = true;
      else if (name === 'font' && inFonts) fonts += 1;
      else if (name === 'strike' && inFonts && isOn(val)) struckFonts.add(fonts - 1);
      else if (name === 'numFmt' && numFmtId) codes.set(Number(numFmtId), formatCode ?? 'General');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'dxfs') inConditional = true;
      else if (name === 'strike' && inConditional && isOn(val)) strikesByCondition = true;
      else if (name === 'xf' && inCells) {
        if (struckFonts.has(Number(fontId ?? 0))) struckStyles.add(formats.length);
        formats.push(codes.get(Number(numFmtId ?? 0)) ?? 'General');
      }
    },
    close: (name) => {
      if (name === 'fonts') inFonts = false;
      if (name === 'cellXfs') inCells = false;
      if (name === 'dxfs') inConditional = false;
    },
  });
  return { formats, struckStyles: orNone(struckStyles), strikesByCondition };
};

/** Reads all parts of a workbook except its sheets. @throws FileRefused `damaged_workbook`, `too_much_memory` */
export const readWorkbookParts = async (zip: ZipParts, maxBytes: number): Promise<WorkbookParts> => {
  const workbook = await workbookPart(zip);
  const related = await relationships(zip, workbook);
  const listed: { name: string; hidden: boolean; id: string }[] = [];
  let date1904 = false;
  readXml(workbook, await zip.text(workbook, smallPart), {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
      if (name !== 'sheet') return;
      const { name: sheetName, state, id } = attributes;
      if (sheetName === undefined || id === undefined) throw damaged('its list of sheets is incomplete');
      listed.push({ name: sheetName, hidden: state !== undefined && state !== 'visible', id });
    },
  });
  const sheets = listed.flatMap(({ name, hidden, id }): SheetPart[] => {
    const target = related.get(id);
    // A chart sheet has no rows.
    return target && target.type === 'worksheet' ? [{ name, hidden, part: target.target }] : [];
  });
  if (sheets.length === 0) throw damaged('it has no sheets');
  const partOf = (type: string) =>
    [...related.values()].find((target) => target.type === type && zip.has(target.target));
  const strings = partOf('sharedStrings');
  const styles = partOf('styles');
  return {
    sheets,
    date1904,
    ...(strings
      ? await readSharedStrings(zip, strings.target, maxBytes)
      : { sharedStrings: [], struckStrings: undefined, raisedStrings: undefined }),
    ...(styles
      ? await readFormats(zip, styles.target)
      : { formats: [], struckStyles: undefined, strikesByCondition: false }),
  };
};
