import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { CappedCount } from '../../../api/schemas/basics.ts';
import type { PoFilter, PoSummary } from '../../../api/schemas/purchase-orders.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { PoBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCount } from '../../data/format.ts';
import { poName } from '../../data/po-name.ts';
import { useMayAct } from '../../data/session.ts';
import { SelectionBar } from './SelectionBar.tsx';

interface PoTableProps {
  items: readonly PoSummary[];
  filter: PoFilter;
  total: CappedCount;
  /** Inside of an import its name is known. */
  withFile?: boolean;
}

/** POs with their state and reason. Rows can be selected, or all that match the filter. */
export const PoTable = ({ items, filter, total, withFile = true }: PoTableProps) => {
  const mayAct = useMayAct();
  const [selected, setSelected] = useState<ReadonlyMap<string, PoSummary>>(new Map());
  const filterKey = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to the filter it was made in.
  useEffect(() => setSelected(new Map()), [filterKey]);

  const toggle = (po: PoSummary) =>
    setSelected((was) => {
      const next = new Map(was);
      if (!next.delete(po.id)) next.set(po.id, po);
      return next;
    });
  const toggleAll = (rows: readonly PoSummary[]) =>
    setSelected((was) => {
      const next = new Map(was);
      const isAll = rows.every(({ id }) => was.has(id));
      for (const po of rows) {
        if (isAll) next.delete(po.id);
        else next.set(po.id, po);
      }
      return next;
    });
  // What is shown now counts, not what was selected: a PO may have moved on meanwhile.
  const present = new Map(items.map((po) => [po.id, po]));
  const chosen = [...selected.values()].map((po) => present.get(po.id) ?? po);
  return (
    <>
      {mayAct ? (
        <SelectionBar
          chosen={chosen}
          isWholePage={items.length > 0 && items.every(({ id }) => selected.has(id))}
          filter={filter}
          total={total}
          onClear={() => setSelected(new Map())}
        />
      ) : null}
      <DataTable
        caption="Purchase orders"
        rows={items}
        keyOf={({ id }) => id}
        selection={
          mayAct
            ? {
                has: ({ id }) => selected.has(id),
                toggle,
                toggleAll,
                nameOf: ({ poNumber }) => poName(poNumber.slice(0, 60)),
              }
            : undefined
        }
        columns={[
          {
            title: 'PO',
            lead: true,
            cell: ({ id, poNumber }) => (
              <Link to="/purchase-orders/$id" params={{ id }}>
                <Foreign as="line" text={poNumber} />
              </Link>
            ),
          },
          {
            title: 'State',
            cell: ({ state, quoteOnly, cancelling, holding, orderStatuses }) => (
              <span className="row">
                <PoBadge state={state} quoteOnly={quoteOnly} cancelling={cancelling} holding={holding} />
                {orderStatuses.some((one) => one !== null) ? (
                  <span className="dim">
                    <Foreign
                      as="line"
                      text={[...new Set(orderStatuses.map((one) => one ?? 'not shown yet'))].join(', ')}
                    />
                  </span>
                ) : null}
              </span>
            ),
          },
          {
            title: 'Reason or order',
            grow: true,
            cell: ({ alarm, reasonText, orderNumbers }) => (
              <Foreign as="line" text={alarm ?? reasonText ?? orderNumbers.join(', ')} />
            ),
          },
          { title: 'Lines', align: 'right', wide: true, cell: ({ lineCount }) => formatCount(lineCount) },
          ...(withFile
            ? [
                {
                  title: 'Account',
                  wide: true,
                  cell: ({ account }: PoSummary) => <Foreign as="line" text={account} />,
                },
                {
                  title: 'File',
                  wide: true,
                  cell: ({ importId, fileName }: PoSummary) => (
                    <Link to="/imports/$id" params={{ id: importId }}>
                      <Foreign as="line" text={fileName} />
                    </Link>
                  ),
                },
              ]
            : []),
          {
            title: 'Changed',
            align: 'right',
            cell: ({ changedAt, account }) => <Time at={changedAt} account={account} relative />,
          },
        ]}
      />
    </>
  );
};
