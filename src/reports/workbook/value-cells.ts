import { zoneClock } from '../../config/zone-clock.ts';
import { type Cell, decimal } from './cells.ts';

/** Two decimals; used unless a price has more. */
const moneyFormat = '#,##0.00';
const fineMoneyFormat = '#,##0.00####';
const dayFormat = 'yyyy-mm-dd';
const momentFormat = 'yyyy-mm-dd hh:mm';

const dayMs = 86_400_000;
/** Day 0 of workbooks, in milliseconds since 1970. */
const dayZero = Date.UTC(1899, 11, 30);
/** Workbooks count 29 February 1900, which did not exist, so earlier days have other numbers. */
const firstDay = Date.UTC(1900, 2, 1);

/** Decimal text as an amount of money; other text unchanged. Pure. */
export const moneyCell = (text: string): Cell => {
  const cell = decimal(text);
  if (typeof cell !== 'object' || !('number' in cell)) return cell;
  return { number: cell.number, format: /\.\d\d\d*[1-9]/.test(text) ? fineMoneyFormat : moneyFormat };
};

/** `2026-11-20` as a date; a day that does not exist, and other text, unchanged. Pure. */
export const dayCell = (text: string): Cell => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const at = Date.parse(`${text}T00:00:00Z`);
  // Date.parse turns 30 February into a day of March.
  if (Number.isNaN(at) || at < firstDay || new Date(at).toISOString().slice(0, 10) !== text) return text;
  return { number: String((at - dayZero) / dayMs), format: dayFormat };
};

const quarterMs = 15 * 60_000;

/** A time zone's offset from UTC in milliseconds; looked up once for each quarter of an hour. */
const createOffsets = (timeZone: string): ((at: number) => number) => {
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / quarterMs) * quarterMs;
    let offset = known.get(quarter);
    if (offset === undefined) {
      const { day, time } = zoneClock(timeZone, new Date(quarter));
      offset = Date.parse(`${day}T${time}Z`) - quarter;
      known.set(quarter, offset);
    }
    return offset;
  };
};

/** Makes cells of moments, to the minute, in local time of the time zone. */
export const createMomentCells = (timeZone: string): ((at: Date | null, suffix?: string) => Cell) => {
  const offsetAt = createOffsets(timeZone);
  return (at, suffix) => {
    if (at === null) return '';
    const minute = Math.floor((at.getTime() + offsetAt(at.getTime())) / 60_000);
    const number = String((minute * 60_000 - dayZero) / dayMs);
    return { number, format: suffix === undefined ? momentFormat : `${momentFormat} "${suffix}"` };
  };
};
