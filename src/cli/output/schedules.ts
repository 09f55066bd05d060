import type { ScheduleRow, SchedulesAnswer } from '../../api-contract/schedules.ts';
import { showText, showUtc } from './show-text.ts';
import { drawTable, wrapping } from './table.ts';
import { sayWrapped, type Terminal } from './terminal.ts';

const lastText = ({ last, result }: ScheduleRow): string =>
  last === null ? 'never' : `${showUtc(new Date(last))}\n${result ?? 'waiting'}`;

/** Shows the schedules. */
export const showSchedules = (terminal: Terminal, { schedules, closed }: SchedulesAnswer): void => {
  terminal.answer({ schedules, closed });
  terminal.say(
    drawTable(
      terminal,
      ['Schedule', wrapping('When'), 'Last run (UTC)', 'Next (UTC)'],
      schedules.map((one) => [
        showText(one.name),
        showText(one.timing),
        lastText(one),
        one.next === null ? 'when a worker runs' : showUtc(new Date(one.next)),
      ]),
    ),
  );
  for (const { name, note } of schedules)
    if (note !== null) sayWrapped(terminal, `${showText(name)}: ${showText(note)}`);
  for (const { account, why } of closed)
    sayWrapped(terminal, `${account}: closed now, so files and orders wait: ${showText(why)}.`);
};
