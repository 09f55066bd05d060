import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProblemEntry } from '../contract/problems.ts';
import { decodeUtf8 } from '../contract/text.ts';
import type { ProblemCode } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, even if it was refused; undefined if it was not read. */
    received: Buffer | undefined;
  }
}

/** Thrown to refuse a request while it is read; the answer is this problem. */
export class RefusedRequest extends Error {
  override name = 'RefusedRequest';
  readonly code: ProblemCode;
  readonly errors: ProblemEntry[] | undefined;
  constructor(code: ProblemCode, message: string, errors?: ProblemEntry[]) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}

/** Names of UTF-8 and of its subset. */
const utf8Names = new Set(['utf-8', 'utf8', 'us-ascii']);

/** @throws RefusedRequest if a body is not UTF-8 */
const decode = (bytes: Buffer, contentType: string): string => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !utf8Names.has(charset.toLowerCase())) {
    throw new RefusedRequest(
      'unsupported_media_type',
      `The charset of the body must be UTF-8, not ${charset.slice(0, 40)}.`,
    );
  }
  const text = decodeUtf8(bytes);
  if (typeof text === 'string') return text;
  throw new RefusedRequest(
    'malformed',
    `The body is not UTF-8: line ${text.line}, column ${text.column} has another byte. Send it as UTF-8.`,
  );
};

const checkName = (name: string): string => {
  if (name === '__proto__')
    throw new RefusedRequest('malformed', 'The field name "__proto__" is not allowed.');
  return name;
};

const refuseTwice = (names: Iterable<string>): void => {
  const errors = [...names].map((name) => ({
    field: [...name].slice(0, 100).join(''),
    code: 'duplicate_field',
    message: 'the field is given more than once',
  }));
  if (errors.length > 0) throw new RefusedRequest('invalid', 'A field is given more than once.', errors);
};

/** Strings and punctuation of a JSON text. */
const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Refuses duplicate names in the objects of a valid JSON text: JSON.parse silently keeps the last. */
const checkNames = (text: string): void => {
  const twice = new Set<string>();
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  for (const [token] of text.matchAll(jsonTokens)) {
    const names = open.at(-1);
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && names && expectsName) {
      const name = checkName(JSON.parse(token) as string);
      if (names.has(name)) twice.add(name);
      names.add(name);
    }
    expectsName = token === '{' || (token === ',' && names !== undefined);
  }
  refuseTwice(twice);
};

const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = text.trim() === '' ? 'it is empty' : (cause as Error).message;
    throw new RefusedRequest('malformed', `The body is not valid JSON: ${why}.`);
  }
  checkNames(text);
  return value;
};

const decodePart = (text: string, where: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const shown = [...text].slice(0, 40).join('');
    throw new RefusedRequest(
      'malformed',
      `${where} contains "${shown}", which is not percent-encoded UTF-8 (write a percent sign as %25).`,
    );
  }
};

/** Fields of a form or a query. URLSearchParams would keep `%zz` unchanged and replace `%FC` by another character. */
const parseFields = (text: string, where: string): Record<string, string> => {
  const fields = new Map<string, string>();
  const twice = new Set<string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = checkName(decodePart(at < 0 ? pair : pair.slice(0, at), where));
    if (fields.has(name)) twice.add(name);
    fields.set(name, at < 0 ? '' : decodePart(pair.slice(at + 1), where));
  }
  refuseTwice(twice);
  return Object.fromEntries(fields);
};

/** Parses the query like a form. */
const readQuery = (request: FastifyRequest): void => {
  const at = request.url.indexOf('?');
  if (at >= 0) request.query = parseFields(request.url.slice(at + 1), 'The query');
};

/** Refuses a field in both query and body, whose value would be ambiguous. */
const refuseInBoth = ({ query, body }: FastifyRequest): void => {
  if (typeof body !== 'object' || body === null) return;
  refuseTwice(Object.keys(query as object).filter((name) => Object.hasOwn(body, name)));
};

/** Registers the parsers of queries and bodies (spec 9): bodies are JSON or forms in UTF-8; others are answered with 415. */
export const registerParsers = (app: FastifyInstance): void => {
  app.decorateRequest('received', undefined);
  app.addHook('onRequest', async (request) => readQuery(request));
  app.addHook('preValidation', async (request) => refuseInBoth(request));
  app.removeAllContentTypeParsers();
  for (const [type, parse] of [
    ['application/json', parseJson],
    ['application/x-www-form-urlencoded', (text: string) => parseFields(text, 'The form')],
  ] as const) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      request.received = body;
      return parse(decode(body, request.headers['content-type'] ?? ''));
    });
  }
  // Still read, for the journal.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.received = body;
    if (request.is404) return undefined;
    const type = (request.headers['content-type'] ?? 'without a type').slice(0, 100);
    throw new RefusedRequest(
      'unsupported_media_type',
      `The body must be application/json or application/x-www-form-urlencoded, not ${type}.`,
    );
  });
};
