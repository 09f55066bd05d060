import { endReasons, explainHold } from '../placing/hold-reasons.ts';

/** Why a PO ended, by its code in the ledger; undefined for a code of another version. */
export const endReasonOf = (code: string | null) =>
  code !== null && Object.hasOwn(endReasons, code) ? endReasons[code as keyof typeof endReasons] : undefined;

/** What the reason of a hold or of an end means. Pure. */
export const reasonMeaning = (code: string): string | undefined =>
  explainHold(code, false)?.meaning ?? endReasonOf(code)?.meaning;
