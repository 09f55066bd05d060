import { type Fields, isFields } from './read-answers.ts';

/** Characters of the whole message. Each problem may use `partLength` of them, so that a long text hides no field. */
const maxLength = 500;
const partLength = 240;
const maxProblems = 40;
const maxDepth = 8;

/** Keys of texts that describe a problem, the most specific first; compared in lower case, letters only. */
const wordKeys = [
  'detail message msg errordescription errormessage description hydradescription defaultmessage longmessage',
  'usermessage reason issue faultstring text error title summary code errorcode',
].flatMap((keys) => keys.split(' '));

/** Keys next to such a text that name the field. */
const fieldKeys =
  'field fieldname fields param parameter property propertypath propertyname attribute pointer loc path instancepath source target key'.split(
    ' ',
  );

/** Keys that contain problems but are not fields: problems of the whole request, or another envelope. */
const containerKeys = new Set(
  [
    'errors error details detail message messages issues violations fieldviolations constraintviolations problems',
    'invalidparams invalidparameters fielderrors formerrors nonfielderrors validationerrors modelstate errormessages',
    'errordetails errorlist innererror failures fault exception base data result response meta params extensions body',
  ].flatMap((keys) => keys.split(' ')),
);

/** Keys whose values mean nothing to a dealer. */
const metaKeys = new Set(
  [
    'type status statuscode statustext code errorcode timestamp time date traceid requestid correlationid instance href',
    'url links help docurl docs documentationurl domain severity category id errorid lang locale success ok valid method',
    'path value rejectedvalue input ctx kind name stack trace host version',
  ].flatMap((keys) => keys.split(' ')),
);

interface Problem {
  field: string | undefined;
  words: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const plain = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '');

const byPlainKey = (fields: Fields): Map<string, unknown> => {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) if (!found.has(plain(key))) found.set(plain(key), value);
  return found;
};

/** A text, a list of texts, or a text in one language (`{lang, value}`). */
const wordsOf = (value: unknown): string | undefined => {
  if (isText(value)) return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isText)) return value.join('; ');
  return isFields(value) && isText(value.value) ? value.value : undefined;
};

/** A readable field name for `#/data/attributes/quantity`, `["body", "items", 0, "quantity"]` or `quantity`. */
const fieldName = (value: unknown): string | undefined => {
  if (isFields(value)) return fieldName(value.pointer ?? value.parameter ?? value.header);
  const parts = Array.isArray(value) ? value.map(String) : isText(value) ? value.split('/') : [];
  const path = parts.filter((part) => part !== '' && part !== '#');
  if (/^(body|query|path|header|payload|\$)$/.test(path[0] ?? '') && path.length > 1) path.shift();
  if (path[0] === 'data' && path[1] === 'attributes') path.splice(0, 2);
  return path.join('.').replace(/^\$\./, '') || undefined;
};

const under = (field: string | undefined, key: string): string =>
  field === undefined ? key : `${field}.${key}`;

/** Collects all problems in a parsed answer of any shape. `field` is the field of `value`. */
const collect = (
  found: Problem[],
  value: unknown,
  { field, inside, depth }: { field: string | undefined; inside: boolean; depth: number },
): void => {
  if (found.length >= maxProblems || depth > maxDepth) return;
  if (isText(value)) return void found.push({ field, words: value });
  const deeper = { field, inside, depth: depth + 1 };
  if (Array.isArray(value)) {
    const numbered = field !== undefined && value.some((one) => isFields(one) && !isProblem(one));
    for (const [at, one] of value.entries()) {
      collect(found, one, { ...deeper, field: numbered && isFields(one) ? under(field, String(at)) : field });
      if (found.length >= maxProblems) return;
    }
    return;
  }
  if (!isFields(value)) return;
  const known = byPlainKey(value);
  const wordKey = wordKeys.find((key) => wordsOf(known.get(key)) !== undefined);
  if (wordKey !== undefined) {
    const own = fieldKeys.map((key) => fieldName(known.get(key))).find((name) => name !== undefined);
    // At the top level such keys hold the path of the request or the name of an error class.
    const named = inside ? (own ?? field ?? fieldName(known.get('name'))) : undefined;
    found.push({ field: named, words: wordsOf(known.get(wordKey))! });
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = plain(key);
    if (name === wordKey) continue;
    if (containerKeys.has(name)) {
      // A text here would only repeat the more specific one found above.
      if (wordKey === undefined || typeof inner === 'object')
        collect(found, inner, { ...deeper, inside: true });
    } else if (wordKey === undefined && inside && !metaKeys.has(name)) {
      collect(found, inner, { ...deeper, field: under(field, key) });
    }
  }
};

const isProblem = (value: Fields): boolean => {
  const known = byPlainKey(value);
  return wordKeys.some((key) => wordsOf(known.get(key)) !== undefined);
};

/** Collects the problems of an answer whose keys are the fields. */
const collectFields = (body: unknown): Problem[] => {
  const found: Problem[] = [];
  if (!isFields(body) || isProblem(body)) return found;
  for (const [field, value] of Object.entries(body)) {
    if (typeof value !== 'object' || metaKeys.has(plain(field)) || containerKeys.has(plain(field))) continue;
    collect(found, value, { field, inside: true, depth: 1 });
  }
  return found;
};

const oneLine = (text: string, length: number): string => {
  // Cut first, because a body can have megabytes.
  const line = text
    .slice(0, 20 * length)
    .replace(/[\s\0]+/g, ' ')
    .trim();
  return (line.length > length ? `${line.slice(0, length - 1)}…` : line).toWellFormed();
};

/** Drops repeated messages: many services repeat those of the fields in a sentence about the whole request. */
const withoutRepetitions = (parts: readonly string[]): string[] => {
  const byWords = new Map(parts.map((part) => [` ${part.replace(/[.;,]+(?= |$)/g, '')} `, part]));
  const all = [...byWords.keys()];
  return [...byWords].flatMap(([words, part]) =>
    all.some((other) => other !== words && other.includes(words)) ? [] : [part],
  );
};

const readWords = (body: string): string => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // For XML: the texts without the tags.
    return /^\s*</.test(body) ? body.slice(0, 20 * maxLength).replace(/<[^<>]*>/g, ' ') : body;
  }
  const named: Problem[] = [];
  collect(named, parsed, { field: undefined, inside: Array.isArray(parsed), depth: 0 });
  const found = named.some(({ field }) => field !== undefined) ? named : [...collectFields(parsed), ...named];
  const parts = found.map(({ field, words }) =>
    oneLine(field === undefined ? words : `${oneLine(field, 80)}: ${words}`, partLength),
  );
  return withoutRepetitions(parts).join('; ') || body;
};

/**
 * The service's own words about a refusal as one line for a person: each problem with its field, from any common format
 * (RFC 9457 and 7807, JSON:API, Laravel, Rails, Django, FastAPI, Spring, ASP.NET, OData, Google, Stripe and others), or
 * the plain text. At most 500 characters after the status.
 */
export const readProblem = (status: number, body: string): string => {
  const line = oneLine(readWords(body), maxLength);
  return line === '' ? `answered ${status}` : `answered ${status}: ${line}`;
};
