import type { PreviewAnswer } from '../../../../api-contract/previews.ts';
import { Badge, type Look } from '../../components/badges.tsx';
import { TablePanel } from '../../components/DataTable.tsx';
import { Facts, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { formatCount, formatCountOf, formatMoney } from '../../data/format.ts';

type Read = Extract<PreviewAnswer, { kind: 'read' }>;

const looks: Record<Read['purchaseOrders'][number]['outcome'], Look> = {
  ready: { tone: 'ordered', icon: 'check', word: 'Would be ordered' },
  rejected: { tone: 'failed', icon: 'alert', word: 'Rejected' },
  repeated: { tone: 'ended', icon: 'minus', word: 'Already imported' },
  conflicting: { tone: 'held', icon: 'pause', word: 'Conflicts' },
  held: { tone: 'held', icon: 'pause', word: 'Would be held' },
};

/** POs, sums, issues and unusual quantities. Nothing has been sent. */
export const PreviewResult = ({ preview }: { preview: Read }) => {
  const { counts, sums, rowCount, purchaseOrders, issues, unusual, warnings } = preview;
  const all = counts.ready + counts.rejected + counts.repeated + counts.conflicting + counts.held;
  return (
    <>
      <Panel title="What this file would do">
        <Facts
          facts={[
            ['Would be ordered', <strong key="r">{formatCountOf(counts.ready, 'purchase order')}</strong>],
            ['Rejected', counts.rejected ? formatCount(counts.rejected) : null],
            ['Would be held', counts.held ? formatCount(counts.held) : null],
            ['Conflict with an earlier file', counts.conflicting ? formatCount(counts.conflicting) : null],
            ['Already imported', counts.repeated ? formatCount(counts.repeated) : null],
            ['Rows', formatCount(rowCount)],
            ['Lines', formatCount(sums.lines)],
            ['Pieces', formatCount(sums.pieces)],
            [
              'Goods at expected prices',
              sums.goods === null
                ? null
                : `${formatMoney(sums.goods)}${sums.pricedLines < sums.lines ? ` (${formatCount(sums.pricedLines)} of ${formatCount(sums.lines)} lines)` : ''}`,
            ],
          ]}
        />
        {warnings.map((warning) => (
          <ProblemNote key={warning} error={warning} />
        ))}
      </Panel>
      {unusual.length > 0 ? (
        <TablePanel
          title="Quantities that look unusual"
          caption="Quantities that are far larger than before"
          rows={unusual}
          keyOf={({ rowNumber }) => String(rowNumber)}
          columns={[
            { title: 'Row', lead: true, cell: ({ rowNumber }) => `Row ${rowNumber}` },
            { title: 'PO', line: ({ poNumber }) => poNumber },
            { title: 'Item', mono: true, line: ({ item }) => item },
            { title: 'Quantity', count: ({ quantity }) => quantity },
            {
              title: 'Largest before',
              align: 'right',
              cell: ({ largestOrdered, ofItem }) =>
                `${formatCount(largestOrdered)}${ofItem ? '' : ' (of any item)'}`,
            },
          ]}
        />
      ) : null}
      {issues.length > 0 ? (
        <TablePanel
          title="Issues and notes"
          note={
            issues.length < counts.issues
              ? `${formatCount(counts.issues)} issues, the first ${issues.length} shown`
              : null
          }
          caption="Issues in the rows"
          rows={issues}
          keyOf={({ rowNumber, column, code }) => `${rowNumber} ${column} ${code}`}
          columns={[
            { title: 'Row', lead: true, cell: ({ rowNumber }) => `Row ${rowNumber}` },
            { title: 'Column', line: ({ column }) => column },
            { title: 'What is wrong', grow: true, text: ({ message }) => message },
            { title: 'Found', mono: true, line: ({ found }) => found },
          ]}
        />
      ) : null}
      <TablePanel
        title="Purchase orders"
        note={purchaseOrders.length < all ? `the first ${formatCount(purchaseOrders.length)} shown` : null}
        caption="Purchase orders of the file"
        rows={purchaseOrders}
        keyOf={({ poNumber, firstRow }) => `${poNumber} ${firstRow}`}
        columns={[
          { title: 'PO', lead: true, line: ({ poNumber }) => poNumber },
          { title: 'Outcome', cell: ({ outcome }) => <Badge look={looks[outcome]} /> },
          { title: 'Why', grow: true, text: ({ reason }) => reason },
          { title: 'Lines', count: ({ lineCount }) => lineCount },
          { title: 'Pieces', count: ({ pieces }) => pieces },
          { title: 'Goods', money: ({ goods }) => goods },
        ]}
      />
    </>
  );
};
