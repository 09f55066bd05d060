const truths: Record<string, boolean> = {
  true: true,
  false: false,
  '1': true,
  '0': false,
  yes: true,
  no: false,
  y: true,
  n: false,
  on: true,
  off: false,
};

const booleans = new Set(['allow_backorder', 'hold_order', 'multiple_warehouse', 'proof_of_delivery']);
const integers = new Set(['quantity', 'cc_last_four']);

const typed = (name: string, text: unknown): unknown => {
  if (typeof text !== 'string') return text;
  if (booleans.has(name)) return truths[text.trim().toLowerCase()] ?? text;
  if (integers.has(name) && /^\s*\d{1,15}\s*$/.test(text)) return Number(text);
  return text;
};

/**
 * Converts the text fields of a form to the types of the contract. An empty field counts as not sent, because a form
 * sends all its fields. A value that cannot be converted stays text, so that the contract refuses it by name.
 */
export const typeFormFields = (form: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(form)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, typed(name, value)]),
  );

/** Text fields that clients in loosely typed languages send as numbers. */
const identifiers = new Set(['item_id', 'item_sku']);

/**
 * Reads a JSON body as the setting `input: lenient` allows: an optional field that is null counts as not sent, a number or
 * boolean may be text, and an item may be named by a number. The contract checks the rest.
 */
export const relaxJsonFields = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        identifiers.has(name) && Number.isSafeInteger(value) ? String(value) : typed(name, value),
      ]),
  );
};
