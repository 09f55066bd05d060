import type { TableToRead } from './chosen-table.ts';
import { createStateCodes } from './rows/state-names.ts';
import type { Decision } from './types.ts';

const withDecision = (chosen: TableToRead, decision: Decision): TableToRead => ({
  ...chosen,
  header: { ...chosen.header, decisions: [...chosen.header.decisions, decision] },
});

/** The chosen table with a decision that says which names of states become codes. */
export const withStates = (chosen: TableToRead): TableToRead => {
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
