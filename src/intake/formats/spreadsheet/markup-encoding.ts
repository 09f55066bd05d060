import { FileRefused } from '../../../errors.ts';
import type { IntakeOptions } from '../../options.ts';
import type { Decision } from '../../types.ts';
import { decoderOf } from '../csv/decode-text.ts';
import { createDecode } from '../csv/legacy-encodings.ts';
import { surveyText } from '../csv/survey-text.ts';
import { declaredEncoding, headOf, wideXml } from '../first-bytes.ts';

export interface MarkupEncoding {
  encoding: string;
  decision: Decision;
}

/** Labels that browsers and Excel read as windows-1252. */
const western = new Set([
  'iso-8859-1',
  'iso8859-1',
  'latin1',
  'latin-1',
  'us-ascii',
  'ascii',
  'cp1252',
  'x-cp1252',
]);

/** A decodable encoding by its declared name; undefined for others and for UTF-16 declared in single bytes. */
const known = (name: string | undefined): string | undefined => {
  const label = name?.toLowerCase();
  if (label === undefined || label.startsWith('utf-16')) return undefined;
  if (western.has(label)) return 'windows-1252';
  try {
    createDecode(label);
    return label === 'utf8' ? 'utf-8' : label;
  } catch {
    return undefined;
  }
};

const decided = (encoding: string, why: string, override?: string): MarkupEncoding => ({
  encoding,
  decision: { what: 'encoding', decided: encoding, why, override },
});

/** XML declares its encoding or is Unicode (XML 1.0, appendix F); no setting overrides that. */
const encodingOfXml = (head: Buffer): MarkupEncoding => {
  const wide = wideXml(head);
  if (wide !== undefined) return decided(wide, 'by its first bytes');
  const name = declaredEncoding(head);
  if (name === undefined) return decided('utf-8', 'XML that does not say otherwise is UTF-8');
  const encoding = known(name);
  if (encoding !== undefined) return decided(encoding, 'by its XML declaration');
  throw new FileRefused(
    'encoding_unknown',
    `The file says that its encoding is ${name}, which cannot be read. Open it in Excel, save it as an Excel workbook (.xlsx), and send that file.`,
  );
};

const override = 'intake.encoding';

/**
 * Detects the encoding of a web page or an XML spreadsheet. Valid UTF-8 or a byte order mark decides, because declarations are often wrong;
 * otherwise the account's setting counts, then the page's declaration, then a guess.
 *
 * @throws FileRefused `encoding_unknown`, and those of `surveyText`; UserError `encoding_unknown` for the account's
 */
export const detectMarkupEncoding = async (
  path: string,
  kind: 'html' | 'xml',
  options: Pick<IntakeOptions, 'encoding'>,
  signal: AbortSignal | undefined,
): Promise<MarkupEncoding> => {
  const head = await headOf(path);
  if (kind === 'xml') return encodingOfXml(head);
  const set = options.encoding;
  const named = known(/<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head.toString('latin1'))?.[1]);
  // Text in such an encoding is also valid UTF-8, because its bytes are ASCII.
  if (named?.startsWith('iso-2022')) return decided(named, 'named by the page', override);
  let guessed: MarkupEncoding | undefined;
  try {
    guessed = await surveyText(path, { encoding: undefined }, signal);
    if (guessed.encoding.startsWith('utf-')) return guessed;
  } catch (error) {
    if (!(error instanceof FileRefused) || error.code !== 'encoding_mixed' || set === undefined) throw error;
  }
  if (set !== undefined) {
    decoderOf(set.toLowerCase());
    return decided(set.toLowerCase(), 'set by the account', override);
  }
  if (named !== undefined && named !== 'utf-8') return decided(named, 'named by the page', override);
  return guessed!;
};
