import { SaxesParser } from 'saxes';
import { damaged } from './zip-parts.ts';

export interface XmlHandlers {
  /** `name` and the names of `attributes` have no prefixes. */
  open(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Parses the small parts of a workbook as strict XML. Refuses a document type: no workbook has one, and entity bombs
 * need it.
 *
 * @throws FileRefused `damaged_workbook`
 */
export const createXmlReader = (
  part: string,
  handlers: XmlHandlers,
): { write(text: string): void; end(): void } => {
  const parser = new SaxesParser({ position: false });
  const fail = (error: unknown): never => {
    throw damaged(`its part ${part} is not well-formed XML`, error);
  };
  parser.on('doctype', () => fail(new Error('document type')));
  parser.on('error', fail);
  parser.on('opentag', (tag) => {
    const attributes: Record<string, string> = Object.create(null);
    for (const [name, value] of Object.entries(tag.attributes)) attributes[local(name)] = value;
    handlers.open(local(tag.name), attributes);
  });
  const { text, close } = handlers;
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  if (close) parser.on('closetag', (tag) => close(local(tag.name)));
  return { write: (chunk) => void parser.write(chunk), end: () => void parser.close() };
};

/** Parses a whole text at once. @see createXmlReader */
export const readXml = (part: string, xml: string, handlers: XmlHandlers): void => {
  const reader = createXmlReader(part, handlers);
  reader.write(xml.replace(/^\ufeff/, ''));
  reader.end();
};
