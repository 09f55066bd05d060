import { zoneClock } from '../config/zone-clock.ts';

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const longestPart = 300;

/** Text of files and services on one line, so that it cannot add headers or lines to a message. */
export const plain = (text: string): string => {
  const clean = text.replace(invisible, ' ').trim();
  return clean.length <= longestPart ? clean : `${clean.slice(0, longestPart - 1)}…`;
};

export const number = (n: number): string => n.toLocaleString('en-US');

const timeIn = (iso: string, timeZone: string): string => {
  const { day, time } = zoneClock(timeZone, new Date(iso));
  return `${day} ${time}`;
};

export const between = ({ from, until }: { from: string; until: string }, timeZone: string): string => {
  const first = timeIn(from, timeZone);
  const last = timeIn(until, timeZone);
  if (first === last) return `${first} ${timeZone}`;
  return `${first} to ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} ${timeZone}`;
};

const utcMoment = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z| UTC)/g;

/** Converts the times in a sentence to the message's time zone: a message uses only one. */
export const inZone = (text: string, timeZone: string): string =>
  text.replace(utcMoment, (found, day: string, minute: string) => {
    const at = new Date(`${day}T${minute}Z`);
    return Number.isNaN(at.getTime()) ? found : `${timeIn(at.toISOString(), timeZone)} ${timeZone}`;
  });
