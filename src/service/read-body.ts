import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProblemEntry } from '../contract/problems.ts';
import type { ProblemCode } from './problems.ts';

/** A request that is refused while it is read; it is answered with this problem. */
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

/**
 * The text of a body. A byte that is not UTF-8 must not be replaced by another character: two PO numbers could become one.
 * @throws RefusedRequest
 */
const decode = (bytes: Buffer, contentType: string): string => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !utf8Names.has(charset.toLowerCase())) {
    throw new RefusedRequest(
      'unsupported_media_type',
      `The charset of the body must be UTF-8, not ${charset.slice(0, 40)}.`,
    );
  }
  if (!isUtf8(bytes))
    throw new RefusedRequest('malformed', 'The body contains bytes that are not UTF-8. Send it as UTF-8.');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
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

/** Checks the names of all objects in a valid JSON text: JSON.parse silently keeps the last of equal ones. */
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

const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const shown = [...text].slice(0, 40).join('');
    throw new RefusedRequest(
      'malformed',
      `The form contains "${shown}", which is not percent-encoded UTF-8 (write a percent sign as %25).`,
    );
  }
};

/** Fields of a form. URLSearchParams would keep `%zz` as it is and replace `%FC` by another character. */
const parseForm = (text: string): Record<string, string> => {
  const fields = new Map<string, string>();
  const twice = new Set<string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = checkName(decodePart(at < 0 ? pair : pair.slice(0, at)));
    if (fields.has(name)) twice.add(name);
    fields.set(name, at < 0 ? '' : decodePart(pair.slice(at + 1)));
  }
  refuseTwice(twice);
  return Object.fromEntries(fields);
};

/** Registers the parsers of request bodies (spec 9): JSON and forms, both in UTF-8; anything else is answered with 415. */
export const registerBodyParsers = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  for (const [type, parse] of [
    ['application/json', parseJson],
    ['application/x-www-form-urlencoded', parseForm],
  ] as const) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
      parse(decode(body, request.headers['content-type'] ?? '')),
    );
  }
};
