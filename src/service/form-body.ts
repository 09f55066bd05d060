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
 * A form's fields with the types that the contract asks for: a form can only send text. An empty field
 * counts as not sent, since a form sends every field that it has. What cannot be typed is left as it is, for
 * the contract to refuse by name.
 */
export const typeFormFields = (form: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(form)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, typed(name, value)]),
  );
