import type { ImportDetail } from '../../../../api-contract/imports.ts';
import { TablePanel } from '../../components/DataTable.tsx';
import { Empty, Facts, Panel } from '../../components/page-parts.tsx';
import { dash, UntrustedText } from '../../components/text.tsx';

/** Encoding, delimiter, sheet, header and columns, each with the reason for the decision. */
export const HowItWasRead = ({ file: { howItWasRead: read, outcome } }: { file: ImportDetail }) => {
  if (!read) {
    return (
      <Panel>
        <Empty icon="file" title={outcome === 'reading' ? 'Not read yet' : 'This file was not read'}>
          {outcome === 'reading' ? 'A worker reads it soon.' : 'The reason is above.'}
        </Empty>
      </Panel>
    );
  }
  return (
    <div className="stack">
      <Panel title="The file">
        <Facts
          facts={[
            ['Format', read.format, 'untrusted'],
            ['Encoding', read.encoding, 'untrusted'],
            ['Delimiter', read.delimiter === '\t' ? 'tab' : read.delimiter, 'untrusted'],
            ['Sheet', read.sheet, 'untrusted'],
            ['Header', read.headerRow === null ? 'No header' : `Row ${read.headerRow}`],
          ]}
        />
      </Panel>
      <TablePanel
        title="Columns"
        caption="Columns of the file"
        rows={read.columns.map((column, index) => ({ ...column, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: 'Column of the file', lead: true, text: ({ header }) => header },
          {
            title: 'Read as',
            cell: ({ field }) =>
              field ? (
                <UntrustedText text={field} mono />
              ) : (
                <span className="dim">ignored, copied to the result file only</span>
              ),
          },
        ]}
      />
      <TablePanel
        title="Decisions"
        caption="What was decided about the file, and why"
        rows={read.decisions}
        keyOf={({ what, decided }) => `${what} ${decided}`}
        columns={[
          { title: 'What', lead: true, cell: ({ what }) => what.replaceAll('_', ' ') },
          { title: 'Decided', line: ({ decided }) => decided },
          { title: 'Why', grow: true, text: ({ why }) => why },
          {
            title: 'Change it with, when it is read again',
            cell: ({ override }) => (override ? <UntrustedText text={override} mono /> : dash),
          },
        ]}
      />
    </div>
  );
};
