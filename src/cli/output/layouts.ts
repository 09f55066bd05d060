import { fieldOfHeader, headerKey } from '../../intake/columns/fields.ts';
import { anyValue, describing } from '../../intake/layouts/answers.ts';
import { agreedBy } from '../../intake/layouts/layout-words.ts';
import { isOfIdentifiers } from '../../intake/layouts/shapes.ts';
import { belowPieces } from '../../intake/layouts/telling-values.ts';
import { isOther } from '../../intake/layouts/watch-others.ts';
import type { AppliedLayout } from '../../ledger/apply-layouts.ts';
import type { listLayoutsOf } from '../../ledger/layouts.ts';
import type { UnknownFiles } from '../../ledger/overview.ts';
import { count, shorten, showFileName, showName, showText, showUtc } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A version of a layout, as shown by commands. */
export type ShownLayout = Awaited<ReturnType<typeof listLayoutsOf>>[number];

const longestHeader = 48;

const shortHeader = ({ header }: ShownLayout): string =>
  header.length === 0 ? 'files without a header' : shorten(showText(header.join(', ')), longestHeader);

const day = (at: Date): string => at.toISOString().slice(0, 10);

const agreed = (one: ShownLayout): string =>
  `${showText(agreedBy(one))}${one.endedAt ? `; ended on ${day(one.endedAt)}` : ''}`;

/** Layouts in a table, followed by files that wait because no layout has their header. */
export const drawLayouts = (
  terminal: Terminal,
  layouts: readonly ShownLayout[],
  waiting: readonly (UnknownFiles & { account: string })[],
): string => {
  const table =
    layouts.length === 0
      ? terminal.wrap(
          'There are no layouts yet. Files with standard names need none; other files wait until somebody says what they mean.',
          0,
        )
      : drawTable(
          terminal,
          [
            right('ID'),
            'Account',
            'Layout',
            right('Version'),
            right('Files'),
            wrapping('Agreed, and its header'),
          ],
          layouts.map((one) => [
            one.id,
            showName(terminal, one.account),
            showName(terminal, one.name),
            String(one.version),
            one.files.toLocaleString('en-US'),
            `${one.kind === 'no_order' ? 'no order, ' : ''}${agreed(one)}\n${shortHeader(one)}`,
          ]),
        );
  if (waiting.length === 0) return table;
  const advice =
    'Open an import in the console, or run `cartwright map --import ID`. One decision reads all files with its header.';
  return [
    table,
    '',
    'Files that wait for somebody to say what they mean, one line for each header:',
    drawTable(
      terminal,
      [right('Import'), 'Account', right('Files'), 'Since (UTC)', wrapping('Such as')],
      waiting.map(({ importId, account, files, since, fileName }) => [
        importId,
        showName(terminal, account),
        files.toLocaleString('en-US'),
        showUtc(since),
        showFileName(fileName),
      ]),
    ),
    terminal.wrap(advice, 0),
  ].join('\n');
};

const fieldsOf = ({ header, settings }: ShownLayout): [string, string][] => {
  const columns = Object.entries(settings.columns ?? {});
  if (header.length === 0) return columns.map(([name, field]) => [`column ${name}`, field]);
  const byKey = new Map(columns.map(([name, field]) => [headerKey(name), field]));
  const taken = new Set<string>(byKey.values());
  return header.map((name) => {
    const usual = fieldOfHeader(name);
    return [
      name,
      byKey.get(headerKey(name)) ?? (usual !== undefined && !taken.has(usual) ? usual : 'ignore'),
    ];
  });
};

const sayFiles = ({ files, kind }: ShownLayout): string =>
  `${count(files, 'file')} ${files === 1 ? 'was' : 'were'} ${kind === 'order' ? 'read' : 'refused'} by it`;

const answers: Record<string, string> = {
  seen: 'ordered, as in its first file',
  order: 'ordered',
  leave_out: 'skipped',
  ask: 'asked each time',
};

/** The known values of ignored columns, and of unusual PO numbers and items. */
const drawValues = (terminal: Terminal, { known }: ShownLayout): string[] => {
  const rows = [...(known ?? [])].flatMap(([column, values]) =>
    isOther(column) && !isOfIdentifiers(column)
      ? []
      : [...values].map(([value, answer]) => [
          showText(column.trim()),
          value === anyValue
            ? 'every other value'
            : value === describing
              ? 'what the item is'
              : value === belowPieces
                ? 'blank, below a row in pieces'
                : value === ''
                  ? terminal.paint('dim', 'blank')
                  : showText(value),
          answers[answer] ?? answer,
        ]),
  );
  if (rows.length === 0) return [];
  const heads = ['Column', wrapping('Says'), 'Such rows are'];
  return ['', drawTable(terminal, heads, rows)];
};

/** One layout in full, with its earlier versions, latest first. */
export const drawLayout = (terminal: Terminal, one: ShownLayout, earlier: readonly ShownLayout[]): string => {
  const { columns: _, ...more } = one.settings;
  const others = Object.entries(more).map(
    ([name, value]) =>
      `${name}: ${showText(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
  );
  return [
    terminal.wrap(
      `Layout "${showText(one.name)}" of ${showText(one.account)}, version ${one.version} (ID ${one.id})`,
      0,
    ),
    terminal.wrap(`It is ${agreed(one)}. ${sayFiles(one)}.`, 0),
    ...(one.kind === 'no_order' ? ['Files with this header are no orders: they are refused.'] : []),
    '',
    ...(one.kind === 'no_order'
      ? [terminal.wrap(`Header: ${showText(one.header.join(', '))}`)]
      : [
          drawTable(
            terminal,
            [wrapping('Column'), 'Field'],
            fieldsOf(one).map(([name, field]) => [
              showText(name),
              field === 'ignore' ? terminal.paint('dim', 'not read') : field,
            ]),
          ),
        ]),
    ...(others.length > 0 ? ['', terminal.wrap(`Other settings: ${others.join(', ')}`)] : []),
    ...drawValues(terminal, one),
    ...(earlier.length > 0 ? ['', 'Earlier versions:'] : []),
    ...earlier.map((version) =>
      terminal.wrap(
        `  version ${version.version} (ID ${version.id}), "${showText(version.name)}": ${agreed(version)}; ${count(version.files, 'file')}`,
        4,
      ),
    ),
  ].join('\n');
};

/** A follow-up sentence about files that waited for a layout. Pure. */
export const sayRead = (files: number, dryRun = false): string => {
  if (files === 0) return '';
  if (dryRun) return ` ${count(files, 'file')} that ${files === 1 ? 'waits' : 'wait'} would be read.`;
  return ` ${count(files, 'file')} that waited ${files === 1 ? 'is' : 'are'} read by a running worker within half a minute.`;
};

/** Layouts are in the ledger, not in the configuration. */
export const noReload = 'Running workers use it from their next file on; no reload is needed.';

/** The changes made by applying layouts, or those that `dryRun` would make. */
export const drawApplied = (
  terminal: Terminal,
  applied: readonly AppliedLayout[],
  dryRun: boolean,
): string => {
  const words = ({ change, differs, version }: AppliedLayout): string =>
    change === 'changed'
      ? `changed${version === undefined ? '' : ` (version ${version})`}: ${differs.join(', ')}`
      : change;
  const times = (kind: AppliedLayout['change']) => applied.filter(({ change }) => change === kind).length;
  const waiting = applied.reduce((sum, one) => sum + (one.change === 'same' ? 0 : one.waiting), 0);
  return [
    drawTable(
      terminal,
      ['Account', 'Layout', wrapping('Change')],
      applied.map((one) => [showName(terminal, one.account), showName(terminal, one.name), words(one)]),
    ),
    terminal.wrap(
      `${times('new')} new, ${times('changed')} changed, ${times('same')} the same.${sayRead(waiting, dryRun)}${dryRun ? ' Dry run: nothing was saved.' : ` ${noReload}`}`,
      0,
    ),
  ].join('\n');
};
