import { NativeSelect, TextInput } from '@mantine/core';
import type { Mapping } from '../../../api/schemas/uploads.ts';
import { Panel } from '../../components/page-parts.tsx';

type From = NonNullable<Mapping['poNumberFrom']>;

/** Where the one PO number of a file is, and what a person says about it. */
export interface PoNumberChoice {
  from: From | undefined;
  /** Typed for this file. */
  typed: string;
}

const kinds = {
  column: 'a column has it',
  typed: 'typed at each upload',
  made: 'made by Cartwright for each file',
  fileName: 'in the name of the file',
  cell: 'in a cell above the table',
  sheetName: 'in the name of the sheet',
} as const;
type Kind = keyof typeof kinds;

const kindOf = (from: From | undefined): Kind =>
  from === undefined ? 'column' : (Object.keys(from)[0] as Exclude<Kind, 'column'>);

const begun: Record<Exclude<Kind, 'column'>, From> = {
  typed: { typed: true },
  made: { made: '{account}-{day}-{n}' },
  fileName: { fileName: '*{po}' },
  cell: { cell: 'PO Number' },
  sheetName: { sheetName: '{po}' },
};

const fields: Partial<Record<Kind, { label: string; help: string }>> = {
  made: {
    label: 'Pattern of the numbers',
    help: '{n} is another number for each file, and the same for the same file; {account} and {day} may be in it, too.',
  },
  fileName: {
    label: 'Pattern of the names',
    help: '{po} is the PO number and * is anything, such as *_{po}.csv.',
  },
  cell: {
    label: 'Text of the cell beside it',
    help: 'The PO number is to the right of this text, or below it.',
  },
  sheetName: { label: 'Pattern of the names', help: '{po} is the PO number and * is anything.' },
};

interface PoNumberOfFileProps {
  choice: PoNumberChoice;
  onChange: (next: PoNumberChoice) => void;
}

/** For files in which no column has a PO number: all rows are one PO. */
export const PoNumberOfFile = ({ choice, onChange }: PoNumberOfFileProps) => {
  const { from, typed } = choice;
  const kind = kindOf(from);
  const field = fields[kind];
  const text = from === undefined || 'typed' in from ? '' : Object.values(from)[0]!;
  return (
    <Panel title="PO number of the whole file">
      <div className="stack">
        <NativeSelect
          label="Where it is"
          data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(event) => {
            const next = event.currentTarget.value as Kind;
            onChange({ typed, from: next === 'column' ? undefined : begun[next] });
          }}
        />
        {kind === 'typed' ? (
          <TextInput
            label="PO number of this file"
            description="Another one is asked for each further file with this header."
            value={typed}
            onChange={(event) => onChange({ from, typed: event.currentTarget.value })}
          />
        ) : null}
        {field ? (
          <TextInput
            label={field.label}
            description={field.help}
            value={text}
            onChange={(event) => onChange({ typed, from: { [kind]: event.currentTarget.value } as From })}
          />
        ) : null}
      </div>
    </Panel>
  );
};
