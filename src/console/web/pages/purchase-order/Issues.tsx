import { Link } from '@tanstack/react-router';
import type { PoDetail } from '../../../../api-contract/purchase-orders.ts';
import { TablePanel } from '../../components/DataTable.tsx';

/** Why rows of this PO were refused, with found and expected values, and how its order differs from its rows. */
export const Issues = ({ po: { issues, lines } }: { po: PoDetail }) => {
  // A row without an item is not a line.
  const rows = new Set(lines.map(({ rowNumber }) => rowNumber));
  return (
    <TablePanel
      title="Issues and notes"
      caption="Issues and notes of the rows of this purchase order"
      rows={issues}
      pageSize={15}
      keyOf={({ rowNumber, column, code }) => `${rowNumber} ${column} ${code}`}
      columns={[
        {
          title: 'Row',
          lead: true,
          cell: ({ rowNumber }) =>
            rows.has(rowNumber) ? (
              <Link
                to="."
                search={{ row: String(rowNumber) } as never}
                resetScroll={false}
                title="Go to its line"
              >
                Row {rowNumber}
              </Link>
            ) : (
              `Row ${rowNumber}`
            ),
        },
        { title: 'Column', line: ({ column }) => column },
        { title: 'What was noticed', grow: true, text: ({ message }) => message },
        { title: 'Found', mono: true, line: ({ found }) => found },
        { title: 'Expected', line: ({ expected }) => expected },
      ]}
    />
  );
};
