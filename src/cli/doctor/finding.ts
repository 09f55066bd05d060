import { statfs } from 'node:fs/promises';
import { showBytes } from '../../show-bytes.ts';

/** The result of one check of `cartwright doctor`. */
export interface Finding {
  /** ID of the check, for programs: `database_version`. */
  check: string;
  /** `note`: worth knowing. `problem`: a person has to do something. */
  level: 'fine' | 'note' | 'problem';
  /** Undefined: it concerns the whole installation. */
  account?: string;
  /** The finding, in sentences. */
  message: string;
  /** What to do, in sentences. */
  advice?: string;
}

export const fine = (check: string, message: string): Finding => ({ check, level: 'fine', message });
const found =
  (level: Finding['level']) =>
  (check: string, message: string, advice?: string): Finding => ({
    check,
    level,
    message,
    ...(advice === undefined ? {} : { advice }),
  });
export const note = found('note');
/** Without advice if the message says what to do. */
export const problem = found('problem');

/** A message of a service or a library, as a sentence with one full stop. */
export const asSentence = (message: string): string => `${message.replace(/[.\s]+$/, '')}.`;

const leastFreeBytes = 1024 ** 3;
const leastFreeShare = 0.05;

/** The space of the disk that a folder is on. */
export const spaceOf = async (path: string) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** The finding about free disk space where Cartwright writes. */
export const aboutSpace = (
  check: string,
  { path, freeBytes, totalBytes }: { path: string; freeBytes: number; totalBytes: number },
): Finding => {
  const message = `${showBytes(freeBytes)} of ${showBytes(totalBytes)} are free where ${path} is.`;
  return freeBytes < leastFreeBytes || freeBytes < totalBytes * leastFreeShare
    ? problem(
        check,
        message,
        'Make room there, or move it to a larger disk. Without room nothing can be recorded, so nothing is sent.',
      )
    : fine(check, message);
};

/** `3 s`, `4 min`, `2 h`: the difference between two clocks. */
const showGap = (ms: number): string => {
  const s = Math.abs(ms) / 1000;
  return s < 120
    ? `${Math.round(s * 10) / 10} s`
    : s < 7200
      ? `${Math.round(s / 60)} min`
      : `${Math.round(s / 3600)} h`;
};

/** Whether the clock of a server is the one of this machine, up to what can be measured. */
export const aboutClock = (
  check: string,
  aheadMs: number,
  { toleratedMs, otherwise }: { toleratedMs: number; otherwise: string },
): Finding => {
  if (Math.abs(aheadMs) <= toleratedMs) return fine(check, `Its clock agrees with the one of this machine.`);
  return problem(
    check,
    `Its clock is ${showGap(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the one of this machine.`,
    otherwise,
  );
};

/** Whether this host name refers to this machine. */
export const isThisMachine = (host: string): boolean =>
  ['', 'localhost', '[::1]', '::1'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
