import type { PoSum } from '../../../api-contract/basics.ts';

/** Formats a count: 12,345. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** `10,000+` if counting stopped early. */
export const formatCapped = ({ count, more }: { count: number; more: boolean }): string =>
  `${formatCount(count)}${more ? '+' : ''}`;

/** `10,000+` for 10,001, where counting stops. */
export const formatBounded = (count: number): string =>
  formatCapped({ count: Math.min(count, 10_000), more: count > 10_000 });

export const formatCountOf = (count: number, one: string, several = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : several}`;

/** Products of prices have more digits than money: `1234.500` becomes `1234.50`; fractions of a cent are kept. */
const rounded = (decimal: string): string => decimal.replace(/(\.\d\d\d*?)0+$/, '$1');

/** Decimals keep their digits: `1234.50` becomes `1,234.50`. The service names no currency. */
export const formatMoney = (decimal: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (!whole) return decimal;
  return `${sign && '−'}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`;
};

/** `25 %`, and below one percent `0.4 %`. */
const formatPercent = (percent: number): string =>
  `${percent < 1 ? Math.max(0.1, Number(percent.toFixed(1))) : Math.round(percent)} %`;

/** `goods 1,234.50, 25 % = 246.90 above the file’s prices, 2 lines without a price`; blank if nothing is known. */
export const formatSum = (sum: PoSum | undefined): string => {
  if (!sum || sum.goods === null) return '';
  const { goods, above, unpriced } = sum;
  return [
    `goods ${formatMoney(rounded(goods))}`,
    ...(above
      ? [`${formatPercent(above.percent)} = ${formatMoney(rounded(above.amount))} above the file’s prices`]
      : []),
    ...(unpriced > 0 ? [`${formatCountOf(unpriced, 'line')} without a price`] : []),
  ].join(', ');
};

/** `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const two = (large: number, largeUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
  const whole = Math.round(seconds);
  if (whole < 3600) return two(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  if (minutes < 24 * 60) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
};

export const formatBytes = (bytes: number): string => {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
};

/** `just now`, `4 min ago`, `in 2 h`. */
export const formatRelative = (at: number, now: number): string => {
  const distance = Math.abs(now - at);
  const late = at <= now;
  if (distance < 10_000) return late ? 'just now' : 'now';
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ];
  const [size, unit] = units.find(([ms]) => distance >= ms)!;
  const text = `${Math.floor(distance / size)} ${unit}`;
  return late ? `${text} ago` : `in ${text}`;
};

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify([zone, options]);
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, ...(zone ? { timeZone: zone } : {}) });
  formats.set(key, made);
  return made;
};

const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `22 Nov, 14:05`; with the year if it is not the current one. In the given zone, otherwise the browser's. */
export const formatTime = (iso: string, zone: string | undefined, now = Date.now()): string => {
  const date = new Date(iso);
  const year = formatOf(zone, { year: 'numeric' });
  const withYear = year.format(date) !== year.format(now);
  return formatOf(zone, { ...day, ...(withYear ? { year: 'numeric' } : {}), ...clock }).format(date);
};

/** `14:05:09` */
export const formatClock = (iso: string, zone: string | undefined): string =>
  formatOf(zone, { ...clock, second: '2-digit' }).format(new Date(iso));

/** `Sunday, 22 November 2026, 14:05:09 GMT+01:00 (Europe/Berlin)` */
export const formatExact = (iso: string, zone: string | undefined): string => {
  const exact = formatOf(zone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...clock,
    second: '2-digit',
    timeZoneName: 'longOffset',
  }).format(new Date(iso));
  return `${exact} (${zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone})`;
};

/** Removes the backticks around settings in texts, which are meant for documents. */
export const plain = (text: string): string => text.replaceAll('`', '');

const words: Record<string, string> = {
  po: 'PO',
  sku: 'SKU',
  id: 'ID',
  zip: 'ZIP',
  misc: 'other',
};

/** A field of the service as people read it: `ship_zip` becomes `Ship ZIP`. Pure. */
export const nameOfField = (field: string): string => {
  const text = field
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};
