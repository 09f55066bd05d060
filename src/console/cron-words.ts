const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A number of a field, or a name such as `mon`; undefined: neither. */
const numberOf = (text: string, names: readonly string[], first: number): number | undefined => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const at = names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase());
  return at < 0 ? undefined : at + first;
};

/** `1-5`, `1,3`, `mon` in words; undefined: too complex. */
const named = (field: string, names: readonly string[], first: number): string | undefined => {
  const parts = field.split(',').map((part) => {
    const ends = part.split('-').map((end) => {
      const number = numberOf(end, names, first);
      // 7 is Sunday, too.
      return number === undefined ? undefined : names[(number - first) % (names === weekdays ? 7 : 12)];
    });
    if (ends.length > 2 || ends.includes(undefined)) return undefined;
    return ends.join(' to ');
  });
  return parts.includes(undefined) ? undefined : listed(parts as string[]);
};

const numbers = (field: string): number[] | undefined =>
  /^\d{1,2}(,\d{1,2})*$/.test(field) ? field.split(',').map(Number) : undefined;

const two = (number: number): string => String(number).padStart(2, '0');

/** `at 06:00 and 18:00`, `every 15 minutes`, `every hour at minute 5`; undefined: too complex. */
const timeWords = (minute: string, hour: string): string | undefined => {
  const everyMinutes = /^\*\/(\d+)$/.exec(minute)?.[1];
  const everyHours = /^\*\/(\d+)$/.exec(hour)?.[1];
  const within = /^(\d{1,2})-(\d{1,2})$/.exec(hour);
  const minutes = numbers(minute);
  const hours = numbers(hour);
  const rest =
    hour === '*'
      ? ''
      : within
        ? ` from ${two(Number(within[1]))}:00 to ${two(Number(within[2]))}:59`
        : undefined;
  if (minute === '*' || everyMinutes) {
    const often = everyMinutes && everyMinutes !== '1' ? `every ${everyMinutes} minutes` : 'every minute';
    return rest === undefined ? undefined : `${often}${rest}`;
  }
  if (!minutes) return undefined;
  if (hours && hours.length * minutes.length <= 6)
    return `at ${listed(hours.flatMap((h) => minutes.map((m) => `${two(h)}:${two(m)}`)))}`;
  const at = minutes.every((m) => m === 0) ? '' : ` at minute ${listed(minutes.map(String))}`;
  if (everyHours && everyHours !== '1') return `every ${everyHours} hours${at}`;
  return rest === undefined && !everyHours ? undefined : `every hour${at}${rest ?? ''}`;
};

/**
 * A cron pattern of five fields in words, `Monday to Friday at 06:00`; undefined: too complex. Also undefined with both a day of the month
 * and a day of the week, because cron then matches either. Pure.
 */
export const cronWords = (pattern: string): string | undefined => {
  const fields = pattern.trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  const time = timeWords(minute, hour);
  const isAny = (field: string) => field === '*' || field === '?';
  if (time === undefined || (!isAny(day) && !isAny(weekday))) return undefined;
  const days = numbers(day);
  const which = !isAny(weekday)
    ? named(weekday, weekdays, 0)
    : isAny(day)
      ? ''
      : days && `day ${listed(days.map(String))} of the month`;
  const inMonths = isAny(month) ? '' : named(month, months, 1);
  if (which === undefined || inMonths === undefined) return undefined;
  // `every 15 minutes` is complete; a time of day needs "every day".
  const everyDay = which === '' && time.startsWith('at ') ? 'every day' : which;
  return [everyDay, time, inMonths === '' ? '' : `in ${inMonths}`].filter((part) => part !== '').join(' ');
};
