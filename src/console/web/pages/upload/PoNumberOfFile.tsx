import { NativeSelect, TextInput } from '@mantine/core';
import { editorControls } from '../../../../api-contract/editor-words.ts';
import type { Mapping } from '../../../../api-contract/uploads.ts';
import { Panel } from '../../components/page-parts.tsx';

type From = NonNullable<Mapping['poNumberFrom']>;

/** The source of a file's single PO number, as chosen by a person. */
export interface PoNumberChoice {
  from: From | undefined;
  /** Typed for this file. */
  typed: string;
}

interface Kind {
  word: string;
  /** The initial choice; undefined: none. */
  begun?: From;
  /** Label of its input field. */
  label?: string;
  help?: string;
}

const kinds: Record<string, Kind> = {
  column: { word: 'a column has it' },
  typed: { word: 'typed at each upload', begun: { typed: true } },
  made: {
    word: 'made by Cartwright for each file',
    begun: { made: '{account}-{day}-{n}' },
    label: 'Pattern of the numbers',
    help: '{n} is another number for each file, and the same for the same file; {account} and {day} may be in it, too.',
  },
  fileName: {
    word: 'in the name of the file',
    begun: { fileName: '*{po}' },
    label: 'Pattern of the names',
    help: '{po} is the PO number and * is anything, such as *_{po}.csv.',
  },
  cell: {
    word: 'in a cell above the table',
    begun: { cell: 'PO Number' },
    label: 'Text of the cell beside it',
    help: 'The PO number is to the right of this text, or below it.',
  },
  sheetName: {
    word: 'in the name of the sheet',
    begun: { sheetName: '{po}' },
    label: 'Pattern of the names',
    help: '{po} is the PO number and * is anything.',
  },
};

interface PoNumberOfFileProps {
  choice: PoNumberChoice;
  onChange: (next: PoNumberChoice) => void;
}

/** For files in which no column has a PO number: all rows are one PO. */
export const PoNumberOfFile = ({ choice, onChange }: PoNumberOfFileProps) => {
  const { from, typed } = choice;
  const kind = Object.keys(from ?? { column: true })[0]!;
  const { label, help } = kinds[kind]!;
  const text = from === undefined || 'typed' in from ? '' : Object.values(from)[0]!;
  return (
    <Panel title={editorControls.poNumberFrom}>
      <NativeSelect
        label="Where it is"
        data={Object.entries(kinds).map(([value, { word }]) => ({ value, label: word }))}
        value={kind}
        onChange={(event) => onChange({ typed, from: kinds[event.currentTarget.value]?.begun })}
      />
      {kind === 'typed' ? (
        <TextInput
          label="PO number of this file"
          description="Another one is asked for each further file with this header."
          value={typed}
          onChange={(event) => onChange({ from, typed: event.currentTarget.value })}
        />
      ) : null}
      {label ? (
        <TextInput
          label={label}
          description={help}
          value={text}
          onChange={(event) => onChange({ typed, from: { [kind]: event.currentTarget.value } as From })}
        />
      ) : null}
    </Panel>
  );
};
