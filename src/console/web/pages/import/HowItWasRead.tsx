import type { ImportDetail } from '../../../api/schemas/imports.ts';
import { DataTable } from '../../components/DataTable.tsx';
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
  const text = (value: string | null) =>
    value === null ? null : <UntrustedText text={value === '\t' ? 'tab' : value} />;
  return (
    <div className="stack">
      <Panel title="The file">
        <Facts
          facts={[
            ['Format', text(read.format)],
            ['Encoding', text(read.encoding)],
            ['Delimiter', text(read.delimiter)],
            ['Sheet', text(read.sheet)],
            ['Header', read.headerRow === null ? 'No header' : `Row ${read.headerRow}`],
          ]}
        />
      </Panel>
      <Panel title="Columns" flush>
        <DataTable
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
      </Panel>
      <Panel title="Decisions" flush>
        <DataTable
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
      </Panel>
    </div>
  );
};
