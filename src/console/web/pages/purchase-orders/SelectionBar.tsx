import { Button } from '@mantine/core';
import { useState } from 'react';
import { actionLabel, effectOnMany } from '../../../../api-contract/action-words.ts';
import type { CappedCount, OfferedAction } from '../../../../api-contract/basics.ts';
import type { PoFilter, PoSummary } from '../../../../api-contract/purchase-orders.ts';
import { CorrectButton } from '../../actions/ActionButtons.tsx';
import BulkDialog from '../../actions/BulkDialog.tsx';
import { PoActionDialog } from '../../actions/PoActionDialog.tsx';
import { useDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { formatCapped, formatCount } from '../../data/format.ts';
import css from './SelectionBar.module.css';

interface SelectionBarProps {
  chosen: readonly PoSummary[];
  isWholePage: boolean;
  filter: PoFilter;
  total: CappedCount;
  onClear: () => void;
}

const mostSelected = 200;

const countBy = <Name extends string>(names: readonly Name[]) => {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** The actions that at least one of the POs allows: first the one advised for all, then by how many allow it. */
const offeredFor = (chosen: readonly PoSummary[]) => {
  const unlikely = countBy(chosen.flatMap((po) => po.unlikely));
  const [main] = chosen;
  const advised = main && chosen.every((po) => po.advised === main.advised) ? main.advised : null;
  return [...countBy(chosen.flatMap(({ actions }) => actions))]
    .sort(([one, a], [other, b]) => Number(other === advised) - Number(one === advised) || b - a)
    .map(([action, count]) => ({
      action,
      label: actionLabel(action),
      effect: effectOnMany(action),
      count,
      isAdvised: action === advised,
      helpsNone: unlikely.get(action) === count,
    }));
};

/** The POs of one file that were not ordered and whose rows can be corrected. */
const correctableOf = (chosen: readonly PoSummary[]): PoSummary[] => {
  const open = chosen.filter(
    ({ state, reasonCode }) => (state === 'rejected' || state === 'failed') && reasonCode !== 'corrected',
  );
  return open.every(({ importId }) => importId === open[0]?.importId) ? open : [];
};

/** The actions on the selected POs, or on all that match the filter. */
export const SelectionBar = ({ chosen, isWholePage, filter, total, onClear }: SelectionBarProps) => {
  const [wantsAll, setWantsAll] = useState(false);
  const openDialog = useDialog();
  const isAll = wantsAll && isWholePage;
  const canWantAll = isWholePage && (total.more || total.count > chosen.length);
  const offered = offeredFor(chosen);
  const toCorrect = correctableOf(chosen);
  const clear = () => {
    setWantsAll(false);
    onClear();
  };
  // The dialog is not part of the bar, because changed POs may leave the list and the bar may disappear.
  const pick = (one: Pick<OfferedAction, 'action' | 'effect'>) =>
    openDialog((close) =>
      isAll ? (
        <BulkDialog offered={one} filter={filter} onClose={close} />
      ) : (
        <PoActionDialog
          offered={one}
          purchaseOrders={chosen.filter(({ actions }) => actions.includes(one.action))}
          onClose={close}
          onDone={clear}
        />
      ),
    );
  if (chosen.length === 0) return null;
  return (
    <div className={`row ${css.bar}`} role="toolbar" aria-label="Actions for the selected purchase orders">
      <strong>
        {isAll ? `All ${formatCapped(total)} that match` : `${formatCount(chosen.length)} selected`}
      </strong>
      {canWantAll ? (
        <Button size="xs" variant="subtle" onClick={() => setWantsAll(!wantsAll)}>
          {isAll ? 'Only this page' : `Select all ${formatCapped(total)} that match the filter`}
        </Button>
      ) : null}
      {!isAll && chosen.length > mostSelected ? (
        <span>At most {mostSelected} can be selected one by one. Use a filter for more.</span>
      ) : offered.length === 0 ? (
        <span className="dim">Nothing can be done with these in their present state.</span>
      ) : (
        offered
          .filter(({ helpsNone }) => !helpsNone)
          .map((one) => (
            <Button
              key={one.action}
              size="xs"
              variant={one.isAdvised ? 'filled' : 'default'}
              onClick={() => pick(one)}
            >
              {one.label}
              {isAll || one.count === chosen.length ? '' : ` ${formatCount(one.count)}`} …
            </Button>
          ))
      )}
      {!isAll && toCorrect.length > 0 && chosen.length <= mostSelected ? (
        <CorrectButton
          importId={toCorrect[0]!.importId}
          purchaseOrders={toCorrect.map(({ id }) => id)}
          size="xs"
          isMain={toCorrect.length === chosen.length}
        >
          Correct{toCorrect.length === chosen.length ? '' : ` ${formatCount(toCorrect.length)}`}
        </CorrectButton>
      ) : null}
      {offered.some(({ helpsNone }) => helpsNone) ? (
        <details>
          <summary className="small">More</summary>
          <div className="row">
            <span className="dim small">Unlikely to help these; the page of each says why.</span>
            {offered
              .filter(({ helpsNone }) => helpsNone)
              .map((one) => (
                <Button key={one.action} size="xs" variant="default" onClick={() => pick(one)}>
                  {one.label} …
                </Button>
              ))}
          </div>
        </details>
      ) : null}
      <Button size="xs" variant="subtle" leftSection={<Icon name="cross" size={12} />} onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
};
