import { SaxesParser } from 'saxes';
import { damaged } from './refused-workbook.ts';

/** `AlternateContent` and its choices may hold elements of the root's vocabulary (ECMA-376 part 3, 10.2). */
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

export interface XmlHandlers {
  /** `name` and the names of `attributes` have no prefixes; an unprefixed attribute takes precedence. */
  open(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses the small parts of a workbook as strict XML. The handlers get only elements of the root's vocabulary, because extensions reuse
 * element names. Refuses a document type, because no workbook has one and entity bombs need it.
 *
 * @throws FileRefused `damaged_workbook`
 */
export const createXmlReader = (
  part: string,
  handlers: XmlHandlers,
): { write(text: string): void; end(): void } => {
  const parser = new SaxesParser({ position: false, xmlns: true });
  const fail = (error: unknown): never => {
    throw damaged(`its part ${part} is not well-formed XML`, error);
  };
  let vocabulary: string | undefined;
  /** Number of open elements of an extension, which are skipped with their content. */
  let skipped = 0;
  parser.on('doctype', () => fail(new Error('document type')));
  parser.on('error', fail);
  parser.on('opentag', (tag) => {
    vocabulary ??= tag.uri;
    if (skipped > 0 || (tag.uri !== vocabulary && tag.uri !== compatibility)) {
      skipped += 1;
      return;
    }
    const attributes: Record<string, string> = Object.create(null);
    for (const { prefix, local, value } of Object.values(tag.attributes)) {
      if (prefix === '' || !(local in attributes)) attributes[local] = value;
    }
    handlers.open(tag.local, attributes);
  });
  const { text, close } = handlers;
  if (text) {
    const own = (more: string) => {
      if (skipped === 0) text(more);
    };
    parser.on('text', own);
    parser.on('cdata', own);
  }
  parser.on('closetag', (tag) => {
    if (skipped > 0) skipped -= 1;
    else close?.(tag.local);
  });
  return { write: (chunk) => void parser.write(chunk), end: () => void parser.close() };
};

/** Parses a whole text at once. @see createXmlReader */
export const readXml = (part: string, xml: string, handlers: XmlHandlers): void => {
  const reader = createXmlReader(part, handlers);
  reader.write(xml.replace(/^\ufeff/, ''));
  reader.end();
};
