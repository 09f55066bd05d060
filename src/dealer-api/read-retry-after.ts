/**
 * Milliseconds to wait out of a Retry-After header in either of its forms (seconds, HTTP date), or
 * undefined when there is none that can be read. Never negative.
 */
export const readRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1000));
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};
