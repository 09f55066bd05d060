import { exitCodes } from '../../src/cli/exit-codes.ts';
import { type EventKindWords, eventKinds } from '../../src/notify/kinds.ts';
import { type HoldReason, holdReasons } from '../../src/placing/hold-reasons.ts';
import { pauseCodes, serviceCause } from '../../src/placing/service-causes.ts';
import { reloadableSettings } from '../../src/worker/reload.ts';
import { fillGenerated, markdownTable } from '../docs/generated.ts';
import { settingsTable } from './settings-table.ts';

/** The text about a hold reason on the pages. */
export const describeHold = ({ meaning, advice, setting, alsoPossible }: HoldReason): string =>
  [meaning, advice, setting, alsoPossible].filter(Boolean).join(' ');

/** docs/every-day.md with its generated parts updated. */
export const renderEveryDayPage = (page: string): string => fillGenerated(page, everyDay());

/** docs/settings.md with its generated parts updated. */
export const renderSettingsPage = (page: string): string =>
  fillGenerated(page, {
    'exit codes': markdownTable(
      ['code', 'meaning'],
      Object.values(exitCodes).map(({ code, means }) => [String(code), means]),
    ),
    settings: settingsTable((key) => !key.startsWith('service.')),
  });

/** docs/operating.md with its generated part written again. */
export const renderOperatingPage = (page: string): string =>
  fillGenerated(page, {
    'reloaded settings': `A reload takes over these settings of an account: ${reloadableSettings.map((name) => `\`${name}\``).join(', ')}.`,
  });

/** The generated parts of docs/every-day.md, by the names of their markers. */
const everyDay = (): Record<string, string> => ({
  holds: markdownTable(
    ['reason code', 'what it means and what to do'],
    Object.entries(holdReasons).map(([code, reason]) => [`\`${code}\``, describeHold(reason)]),
  ),
  pauses: markdownTable(
    ['code', 'what it means and what to do'],
    pauseCodes.map((code) => {
      const { meaning, advice } = serviceCause(code, 'NAME');
      return [`\`${code}\``, `${meaning} ${advice}`];
    }),
  ),
  notifications: markdownTable(
    ['event', 'severity', 'what it means and what to do'],
    Object.entries<EventKindWords>(eventKinds).map(([kind, { severity, meaning, advice }]) => [
      `\`${kind}\``,
      severity,
      advice === 'Nothing.'
        ? meaning
        : `${meaning} ${advice.replace('{place}', '`inbox/` or the folder from which it is fetched').replaceAll('{pos}', 'PO …')}`,
    ]),
  ),
});
