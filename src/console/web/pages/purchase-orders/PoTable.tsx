import type { CappedCount } from '../../../../api-contract/basics.ts';
import { poName } from '../../../../api-contract/po-words.ts';
import type { PoFilter, PoSummary } from '../../../../api-contract/purchase-orders.ts';
import { PoBadge } from '../../components/badges.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import type { Sorting } from '../../components/table-head.tsx';
import { ImportLink, PoLink, UntrustedText } from '../../components/text.tsx';
import { useSelection } from '../../components/use-selection.ts';
import { useMayAct } from '../../data/session.ts';
import { useTimeColumn } from '../../data/zones.tsx';
import { SelectionBar } from './SelectionBar.tsx';

interface PoTableProps {
  items: readonly PoSummary[];
  filter: PoFilter;
  total: CappedCount;
  /** False on the page of an import, where the file is obvious. */
  withFile?: boolean;
  /** Without it the list cannot be sorted. */
  sorting?: Sorting;
}

/** POs with their state and reason. Rows can be selected, or all that match the filter. */
export const PoTable = ({ items, filter, total, withFile = true, sorting }: PoTableProps) => {
  const mayAct = useMayAct();
  const changed = useTimeColumn('Changed', filter.account ?? (withFile ? undefined : items[0]?.account));
  const { chosen, clear, ...selection } = useSelection(items, JSON.stringify(filter));
  return (
    <>
      {mayAct ? (
        <SelectionBar
          chosen={chosen}
          isWholePage={items.length > 0 && items.every(selection.has)}
          filter={filter}
          total={total}
          onClear={clear}
        />
      ) : null}
      <DataTable
        caption="Purchase orders"
        rows={items}
        keyOf={({ id }) => id}
        sorting={sorting}
        times={changed}
        selection={
          mayAct ? { ...selection, nameOf: ({ poNumber }) => poName(poNumber.slice(0, 60)) } : undefined
        }
        columns={[
          {
            title: 'PO',
            lead: true,
            sort: { key: 'number', first: 'oldest' },
            cell: ({ id, poNumber }) => <PoLink id={id} name={poNumber} as="line" />,
          },
          {
            title: 'State',
            fact: true,
            cell: ({ orderStatuses, statusMeaning, assignee, ...po }) => (
              <span className="row">
                <PoBadge {...po} />
                {assignee ? (
                  <span className="dim">
                    <UntrustedText as="line" text={`for ${assignee}`} />
                  </span>
                ) : null}
                {orderStatuses.some((one) => one !== null) ? (
                  <span className="dim" title={statusMeaning ?? undefined}>
                    <UntrustedText
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
            fact: true,
            cell: ({ alarm, reasonText, orderNumbers }) => (
              <UntrustedText as="line" text={alarm ?? reasonText ?? orderNumbers.join(', ')} />
            ),
          },
          { title: 'Lines', wide: true, count: ({ lineCount }) => lineCount },
          { title: 'Account', when: withFile, wide: true, line: ({ account }) => account },
          {
            title: 'File',
            when: withFile,
            wide: true,
            cell: ({ importId, fileName }) => <ImportLink id={importId} name={fileName} as="line" />,
          },
          { title: changed.title, fact: true, ago: ({ changedAt }) => changedAt },
        ]}
      />
    </>
  );
};
