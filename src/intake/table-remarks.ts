import type { Chosen } from './chosen-table.ts';
import { readHeader } from './columns/read-header.ts';
import { isStatus, not } from './rows/cancelled-rows.ts';
import { createStateCodes } from './rows/state-names.ts';
import type { Decision } from './types.ts';

const withDecision = (chosen: Chosen, decision: Decision): Chosen => ({
  ...chosen,
  header: { ...chosen.header, decisions: [...chosen.header.decisions, decision] },
});

/** The chosen table with a decision that says which names of states become codes. */
export const withStates = (chosen: Chosen): Chosen => {
  const { header, table, options } = chosen;
  const at = header.columns.findIndex(({ field }) => field === 'ship_state');
  if (at < 0) return chosen;
  const codeOf = createStateCodes(options);
  const converted = table.head.flatMap(({ rowNumber, cells }) => {
    const text = (cells[at] ?? '').trim();
    const { code } = codeOf(text);
    return rowNumber > (header.headerRow ?? 0) && code !== text ? [`"${text}" → ${code}`] : [];
  });
  if (converted.length === 0) return chosen;
  const decision: Decision = {
    what: 'states',
    decided: 'names to codes',
    why: `set by the account, for example ${[...new Set(converted)].slice(0, 3).join(', ')}`,
    override: 'intake.stateNames',
  };
  return withDecision(chosen, decision);
};

/** The chosen table with a decision that names statuses of lines that were delivered already: they are ordered all the same. */
export const withStatuses = (chosen: Chosen): Chosen => {
  const { header, table } = chosen;
  const rows = table.head.filter(({ rowNumber }) => rowNumber > (header.headerRow ?? 0));
  const done = header.columns.flatMap((column, at) => {
    if (column.field !== null || header.headerRow === null || !isStatus(column.header)) return [];
    const found = rows.flatMap(({ rowNumber, cells }) => {
      const text = (cells[at] ?? '').trim();
      const isDone = text.length <= 60 && readHeader(text).meanings.has('done') && !not.test(text);
      return isDone ? [{ text, rowNumber }] : [];
    });
    return found.filter(({ text }, one) => found.findIndex((other) => other.text === text) === one);
  });
  if (done.length === 0) return chosen;
  const shown = done.slice(0, 3).map(({ text, rowNumber }) => `"${text}" (row ${rowNumber})`);
  return withDecision(chosen, {
    what: 'status',
    decided: 'not read',
    why: `the lines are ordered whatever their status is, also where it is ${shown.join(', ')}; remove the rows of goods that were delivered already`,
    override: undefined,
  });
};
