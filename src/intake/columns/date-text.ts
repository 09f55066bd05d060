const languages = 'en de fr es it pt nl pl cs sk sv da nb fi tr hu ro ru uk hr sl et lv lt el'.split(' ');

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '');

/** The names of the months, long and short, alone and in the form used with a day (`12. března`). */
const namesOfMonths = (): Set<string> => {
  const names = new Set<string>(['mrz', 'sept', 'maerz', 'jaenner', 'janner']);
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      const beside = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
      const alone = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1) {
        const day = new Date(Date.UTC(2026, at, 12));
        const part = beside.formatToParts(day).find(({ type }) => type === 'month')?.value ?? '';
        for (const name of [alone.format(day), part]) if (/\p{L}{3}/u.test(name)) names.add(fold(name));
      }
    }
  }
  return names;
};

let months: Set<string> | undefined;
const isMonth = (word: string | undefined): boolean => {
  months ??= namesOfMonths();
  return word !== undefined && months.has(fold(word));
};

const numbers = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4}))(?:$|[ T])/;
const eastern = /^\d{4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]/;
const time = /[\sT]+\d{1,2}:\d{2}.*$/;
const year = /^(?:\d{4}|['’]?\d{2})$/;
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|mié|jeu|jue|ven|vie|sam|sáb|dim|dom|mo|di|mi|do|fr|sa|so)\p{L}*$/iu;
const day = /^\d{1,2}(?:st|nd|rd|th|er|º)?$/i;

/** Whether a text is a date: in numbers (`2026-03-12`), or with the name of a month and a year (`12-Mar-2026`, `12. März 2026`). Pure. */
export const isDate = (text: string): boolean => {
  if (numbers.test(text) || eastern.test(text)) return true;
  if (text.length > 50 || !/\d/.test(text) || !/\p{L}{3}/u.test(text)) return false;
  const words = text
    .replace(time, '')
    .split(/[\s.,/-]+/u)
    .filter((word) => word !== '' && !/^(?:de|del|of)$/i.test(word));
  // `Thursday, March 12, 2026`
  const [first, second, third, ...rest] =
    words.length === 4 && weekday.test(words[0]!) ? words.slice(1) : words;
  if (first === undefined || second === undefined || third === undefined || rest.length > 0) return false;
  if (isMonth(first)) return day.test(second) && year.test(third);
  if (!isMonth(second)) return false;
  return (day.test(first) && year.test(third)) || (/^\d{4}$/.test(first) && day.test(third));
};

const dayOfMonth = /^\d{1,2}(?:-|\.\s?)(\p{L}{3,10})\.?$/u;
const monthOfYear = /^(\p{L}{3,10})\.?-\d{2}$/u;
/** Month abbreviations of German spreadsheets, without those equal to English ones, because people also write `Nov 26`. */
const german = /^(?:Mrz|Mai|Okt|Dez) \d{2}$/;
const capitals = /^\p{Lu}+$/u;

/**
 * Whether a text is how spreadsheets in some language display a number converted to a date: `01. Mrz`, `10-août`, `mar-10`, `Mrz 26`. None
 * writes a month in capitals, as in `SET-10`. Pure.
 */
export const isDateOfSpreadsheet = (text: string): boolean => {
  const month = (dayOfMonth.exec(text) ?? monthOfYear.exec(text))?.[1];
  return month === undefined ? german.test(text) : !capitals.test(month) && isMonth(month);
};
