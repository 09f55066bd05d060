import type { CorrectionsAnswer } from '../../../api-contract/corrections.ts';
import { formatCount, formatCountOf } from '../data/format.ts';
import { useRead } from '../data/request.ts';
import { DataTable } from './DataTable.tsx';
import { Panel } from './page-parts.tsx';
import { ImportLink, Time, UntrustedText } from './text.tsx';

type Correction = CorrectionsAnswer['items'][number];

const words = { changed: 'Changed', added: 'Row added', removed: 'Row removed' } as const;

/** One line per cell. */
const cellsOf = ({ changes }: Correction) =>
  changes.flatMap((change, at) =>
    change.cells.map((cell, nth) => ({ ...change, ...cell, key: `${at} ${nth}` })),
  );

const Value = ({ text }: { text: string }) =>
  text === '' ? <span className="dim">blank</span> : <UntrustedText text={text} most={200} />;

const OneCorrection = ({
  correction,
  account,
  of,
}: {
  correction: Correction;
  account: string;
  of: string;
}) => {
  const { who, at, note, as, changes, changeCount } = correction;
  const other = correction.of.id === of ? as : correction.of;
  const rows = cellsOf(correction);
  return (
    <Panel
      title={
        <>
          Corrected by <UntrustedText text={who} />
        </>
      }
      note={<Time at={at} account={account} />}
      flush
    >
      <DataTable
        caption="What was corrected, cell by cell"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: 'PO', lead: true, line: ({ poNumber }) => poNumber },
          {
            title: 'Row',
            cell: ({ rowNumber, newRowNumber }) => `Row ${formatCount(rowNumber ?? newRowNumber ?? 0)}`,
          },
          { title: 'Column', line: ({ column }) => column },
          { title: 'Before', cell: ({ before }) => <Value text={before} /> },
          {
            title: 'After',
            grow: true,
            cell: ({ kind, before, after }) =>
              kind === 'removed' ? (
                <span className="dim">row removed</span>
              ) : before === after ? (
                <span className="dim">said to be right</span>
              ) : (
                <Value text={after} />
              ),
          },
          { title: 'What', wide: true, cell: ({ kind }) => words[kind] },
        ]}
      />
      <p className="padded dim small">
        {other ? (
          <>
            {other === as ? 'Ordered as' : 'Rows of'} <ImportLink id={other.id} name={other.fileName} />
            {'. '}
          </>
        ) : null}
        {changeCount > changes.length
          ? `${formatCountOf(changeCount, 'row')}, the first ${changes.length} shown. `
          : ''}
        {note ? <UntrustedText text={note} /> : null}
      </p>
    </Panel>
  );
};

interface CorrectionsProps {
  /** API path. */
  path: string;
  account: string;
  /** The import of the page or of its PO. */
  of: string;
}

/** Corrections made in the browser, before and after; nothing if there are none. */
export const Corrections = ({ path, account, of }: CorrectionsProps) => {
  const query = useRead<CorrectionsAnswer>(['imports', path], path);
  return query.data?.items.map((correction) => (
    <OneCorrection key={correction.id} correction={correction} account={account} of={of} />
  ));
};
