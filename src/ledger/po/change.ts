import { giveBackRepeated } from './give-back.ts';
import { importsInConflict, makeRepeatsDue, makeResultsDue } from './result-due.ts';
import { type PoUpdate, updatePos } from './write.ts';

/** The parts of one statement by their names. */
export type Parts = Record<string, string>;

/** SQL: `a as (…), b as (…)`, for use in a larger `with`. */
export const partsOf = (parts: Parts): string =>
  Object.entries(parts)
    .map(([name, part]) => `${name} as (${part})`)
    .join(',\n  ');

/** SQL: the same, as the beginning of a statement. */
export const withParts = (parts: Parts): string => `with ${partsOf(parts)}`;

export interface PoChange extends PoUpdate {
  /** Columns besides `id`, `import_id`, `account`, `po_number`, which every change returns. */
  returning?: string;
  /** The PO is withdrawn: repetitions in other files become POs of those files, at once or after a person's decision. */
  takesAway?: 'at_once' | 'ask';
  /** The statement marks the result file of the PO's own import itself. */
  marksImport?: boolean;
  /** The part with the changed POs whose result files show the change; default: all of them. */
  shownOf?: string;
}

/**
 * SQL: the parts of a statement that visibly changes POs. `name` is the part with the changed POs; the others mark the result files that
 * show them as due, and give back repetitions of a withdrawn PO. The caller notifies consoles with `noteChange` after the commit.
 */
export const changePos = (name: string, change: PoChange): Parts => {
  const { takesAway, marksImport, shownOf = name, returning, ...update } = change;
  const { as = 'p' } = update;
  const columns = ['id', 'import_id', 'account', 'po_number'].map((column) => `${as}.${column}`);
  return {
    [name]: updatePos({
      ...update,
      returning: [...columns, ...(returning === undefined ? [] : [returning])].join(', '),
    }),
    ...(takesAway ? giveBackRepeated(name, takesAway) : {}),
    due: (marksImport ? makeRepeatsDue : makeResultsDue)(
      shownOf,
      ...(takesAway ? ['given', importsInConflict(name)] : []),
    ),
  };
};
