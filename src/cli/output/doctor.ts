import type { Finding } from '../doctor/finding.ts';
import { describeSchedule, type PlannedSchedule } from '../doctor/list-schedules.ts';
import { count, showText } from './show-text.ts';
import type { Terminal } from './terminal.ts';

export interface DoctorReport {
  /** `Configuration`, `Database`, `Queue`, `Account north`, in this order. */
  sections: { title: string; findings: Finding[]; schedules?: PlannedSchedule[] }[];
  /** Null: a secret. */
  settings: { name: string; value: string | null }[];
  /** Which settings are shown: all, or those that differ from their defaults. */
  shownSettings: 'all' | 'changed';
}

const colours = { fine: 'green', note: 'yellow', problem: 'red' } as const;
const indent = 10;

/** One finding, preceded by its level. */
export const drawFinding = (terminal: Terminal, { level, message, advice }: Finding): string => {
  const mark = terminal.paint(colours[level], level.padEnd(indent - 3));
  const text = showText(advice === undefined ? message : `${message} ${advice}`);
  return terminal.wrap(`  ${mark} ${text}`, indent);
};

/** All findings, then the settings, then the number of problems. */
export const drawDoctorReport = (terminal: Terminal, report: DoctorReport): string => {
  const { sections, settings, shownSettings } = report;
  const findings = sections.flatMap((section) => section.findings);
  const countOf = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const drawn = sections.map(({ title, findings, schedules = [] }) =>
    [
      terminal.paint('bold', title),
      ...findings.map((one) => drawFinding(terminal, one)),
      ...schedules.map((one) =>
        terminal.wrap(`  ${'planned'.padEnd(indent - 3)} ${describeSchedule(one)}`, indent),
      ),
    ].join('\n'),
  );
  const title =
    shownSettings === 'all'
      ? 'Settings'
      : 'Settings that differ from their defaults (--verbose and --json show all)';
  const shown = settings.map(({ name, value }) =>
    terminal.wrap(`  ${name}: ${value === null ? '(hidden)' : showText(value)}`, 4),
  );
  const problems = countOf('problem');
  const summary =
    problems === 0
      ? `No problems, ${count(countOf('note'), 'note')}.`
      : `${count(problems, 'problem')} for a person to solve, ${count(countOf('note'), 'note')}.`;
  return [
    ...drawn,
    [terminal.paint('bold', title), ...(shown.length > 0 ? shown : ['  none'])].join('\n'),
    terminal.paint(problems === 0 ? 'green' : 'red', summary),
  ].join('\n\n');
};
