import type { PoDetail, PoLine } from '../../../../api-contract/purchase-orders.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty, Panel } from '../../components/page-parts.tsx';
import type { Column } from '../../components/table-head.tsx';
import { dash, Time, UntrustedText } from '../../components/text.tsx';
import { formatCount, formatCountOf, formatMoney } from '../../data/format.ts';

const Difference = ({ of }: { of: string | null }) => {
  if (of === null) return dash;
  const sign = Number(of);
  if (sign === 0) return <span className="dim">0.00</span>;
  return (
    <span className={`toned tone-${sign > 0 ? 'held' : 'ordered'}`}>
      {sign > 0 ? '+' : ''}
      {formatMoney(of)}
    </span>
  );
};

/** Omits columns without any value: most files have no prices, and most lines no note. */
const columnsFor = (lines: readonly PoLine[]): Column<PoLine>[] => {
  const has = (read: (line: PoLine) => unknown) => lines.some((line) => read(line) !== null);
  return [
    {
      title: 'Item',
      lead: true,
      cell: ({ item, sku }) => (
        <>
          <UntrustedText as="line" text={item} mono />
          {sku && sku !== item ? (
            <span className="dim">
              {' '}
              (<UntrustedText text={sku} />)
            </span>
          ) : null}
        </>
      ),
    },
    {
      title: 'Name',
      grow: true,
      cell: ({ name, note, refusal, problem }) => (
        <span title={refusal ?? name ?? note ?? ''}>
          {refusal ? (
            <span className="toned tone-failed">
              <UntrustedText text={refusal} />
            </span>
          ) : problem === 'refused' ? (
            <span className="toned tone-failed">Its row has an issue</span>
          ) : (
            <UntrustedText text={name ?? ''} />
          )}
          {note ? (
            <span className="dim">
              {' '}
              · <UntrustedText text={note} />
            </span>
          ) : null}
        </span>
      ),
    },
    { title: 'Asked', count: ({ quantity }) => quantity },
    { title: 'Available', when: has(({ available }) => available), count: ({ available }) => available },
    {
      title: 'Back-ordered',
      when: has(({ backorder }) => backorder),
      align: 'right',
      cell: ({ backorder }) =>
        backorder ? <span className="toned tone-held">{formatCount(backorder)}</span> : (backorder ?? dash),
    },
    { title: 'Expected', when: has((line) => line.expectedPrice), money: (line) => line.expectedPrice },
    { title: 'Price', money: ({ price }) => price },
    {
      title: 'Difference',
      when: has(({ difference }) => difference),
      align: 'right',
      cell: ({ difference }) => <Difference of={difference} />,
    },
    { title: 'Amount', money: ({ amount }) => amount },
    {
      title: 'Row',
      align: 'right',
      wide: true,
      cell: ({ rowNumber }) => <span className="dim">{rowNumber}</span>,
    },
  ];
};

/** `, 3 with a problem first`; blank without any. */
const withProblem = (lines: readonly PoLine[]): string => {
  const count = lines.filter(({ problem }) => problem !== null).length;
  return count === 0 ? '' : `, ${formatCount(count)} with a problem first`;
};

/** ` · 2,140.00 (25 %) above the file’s prices`; blank if nothing differs. */
const differenceText = ({ amount, percent }: NonNullable<PoDetail['priceDifference']>): string => {
  if (Number(amount) === 0) return '';
  const share = percent === null ? '' : ` (${Math.abs(percent)} %)`;
  return ` · ${formatMoney(amount.replace('-', ''))}${share} ${amount.startsWith('-') ? 'below' : 'above'} the file’s prices`;
};

/** More lines at once would slow down the page. */
const linesAtOnce = 40;

interface LinesProps {
  po: PoDetail;
  /** The file's row whose line to scroll to. */
  row: string | undefined;
  visit: string;
}

/** The lines, those with a problem first. */
export const Lines = ({
  po: { lines, lineCount, lineTotal, priceDifference, rowsPrunedAt, account },
  row,
  visit,
}: LinesProps) => (
  <Panel
    title="Lines"
    note={
      <>
        {formatCountOf(lineCount, 'line')}
        {rowsPrunedAt === null && lines.length < lineCount
          ? `, the first ${formatCount(lines.length)} shown`
          : ''}
        {lines.length > linesAtOnce ? withProblem(lines) : ''}
        {lineTotal ? ` · goods ${formatMoney(lineTotal)}` : ''}
        {priceDifference ? differenceText(priceDifference) : ''}
      </>
    }
    flush
  >
    {rowsPrunedAt === null ? (
      <DataTable
        caption="Lines of the purchase order"
        rows={lines}
        keyOf={({ rowNumber }) => String(rowNumber)}
        pageSize={linesAtOnce}
        goTo={{ key: row, visit }}
        columns={columnsFor(lines)}
      />
    ) : (
      <Empty icon="clock" title="The lines were removed because of their age">
        Removed on <Time at={rowsPrunedAt} account={account} />. What was sent and ordered is kept.
      </Empty>
    )}
  </Panel>
);
