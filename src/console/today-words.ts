import type { TodayAnswer } from '../api-contract/today.ts';
import { countOf } from './action-words.ts';

type Needs = Pick<
  TodayAnswer,
  | ('unknown' | 'questions' | 'held' | 'refused' | 'notOrdered')
  | ('paused' | 'alarmCount' | 'problems' | 'runningCount')
>;

/** One sentence about what needs a person. Pure. */
export const whatNeedsYou = (needs: Needs): string => {
  const { unknown, questions, held, refused, notOrdered, paused, alarmCount, problems } = needs;
  const ended = (state: 'failed' | 'rejected') => {
    const those = notOrdered.filter((one) => one.state === state);
    const sum = those.reduce((all, { count }) => all + count.count, 0);
    const more = those.some(({ count }) => count.more);
    return sum === 0 ? [] : [`${countOf(sum, 'PO', more)} ${state}`];
  };
  const isRead = ({ reasonCode }: Needs['refused'][number]) => reasonCode === 'rows_without_po';
  const filesOf = (groups: Needs['refused'], word: string) => {
    const count = groups.reduce((sum, { files }) => sum + files.length, 0);
    return count > 0 ? [`${countOf(count, 'file')} ${word}`] : [];
  };
  const heldCount = held.reduce((sum, { count }) => sum + count.count, 0);
  const moreHeld = held.some(({ count }) => count.more);
  const others = problems.filter(
    ({ code }) => !['held', 'alarm', 'account_paused', 'file_waits'].includes(code),
  ).length;
  const waiting = unknown.reduce((sum, { files }) => sum + files, 0);
  const parts = [
    ...(waiting > 0 ? [`${countOf(waiting, 'file')} with an unknown meaning`] : []),
    ...(questions.length > 0 ? [countOf(questions.length, 'question')] : []),
    ...(heldCount > 0 ? [`${countOf(heldCount, 'PO', moreHeld)} held`] : []),
    ...ended('failed'),
    ...ended('rejected'),
    ...filesOf(
      refused.filter((group) => !isRead(group)),
      'refused',
    ),
    ...filesOf(refused.filter(isRead), 'with rows of no PO'),
    ...(paused.length > 0 ? [`${countOf(paused.length, 'account')} paused`] : []),
    ...(alarmCount.count > 0 ? [countOf(alarmCount.count, 'alarm', alarmCount.more)] : []),
    ...(others > 0 ? [countOf(others, 'problem')] : []),
  ];
  if (parts.length > 0) return `Needs you: ${parts.join(', ')}.`;
  const { count: running } = needs.runningCount;
  return running > 0
    ? `Nothing needs you. ${countOf(running, 'import')} running.`
    : 'All quiet: nothing needs you, and nothing is running.';
};
