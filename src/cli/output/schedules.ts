import type { ScheduleRow, SchedulesAnswer } from '../../console/api/schemas/schedules.ts';
import { showText, showUtc } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const lastText = ({ last, result }: ScheduleRow): string =>
  last === null ? 'never' : `${showUtc(new Date(last))}\n${result ?? 'waiting'}`;

/** Shows what happens by the clock. */
export const showSchedules = (terminal: Terminal, { schedules, closed }: SchedulesAnswer): void => {
  terminal.answer({ schedules, closed });
  terminal.say(
    drawTable(
      terminal,
      [
        { head: 'Schedule' },
        { head: 'When', wraps: true },
        { head: 'Last run (UTC)' },
        { head: 'Next (UTC)' },
      ],
      schedules.map((one) => [
        showText(one.name),
        showText(one.timing),
        lastText(one),
        one.next === null ? 'when a worker runs' : showUtc(new Date(one.next)),
      ]),
    ),
  );
  for (const { name, note } of schedules)
    if (note !== null) terminal.say(terminal.wrap(`${showText(name)}: ${showText(note)}`));
  for (const { account, why } of closed)
    terminal.say(terminal.wrap(`${account}: closed now, so files and orders wait: ${showText(why)}.`));
};
