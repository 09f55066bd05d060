import { NativeSelect, NumberInput } from '@mantine/core';
import type { PreviewAnswer, ValueChoice } from '../../../api/schemas/previews.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Panel } from '../../components/Panel.tsx';
import { formatCount } from '../../data/format.ts';
import css from './MappingEditor.module.css';

type Read = Extract<PreviewAnswer, { kind: 'read' }>;

interface UnreadColumnsProps {
  preview: Pick<Read, 'unread' | 'besides'>;
  choices: readonly ValueChoice[];
  onChange: (choices: ValueChoice[]) => void;
}

const answers: { value: ValueChoice['answer']; label: string }[] = [
  { value: 'order', label: 'Order such rows' },
  { value: 'leave_out', label: 'Leave them out' },
  { value: 'ask', label: 'Ask each time' },
  { value: 'pieces', label: 'Count in pieces' },
];

/** Numbers, amounts and dates are compared by kind, so they cannot say how many pieces one is. */
const standsForMany = (value: string): boolean =>
  /^(?:number(?: [<=>] quantity)?|an amount|a date)$/.test(value);

/** What the file says in columns that are not read, with what is to be done with such rows; and what it has besides its lines. */
export const UnreadColumns = ({ preview: { unread, besides }, choices, onChange }: UnreadColumnsProps) => {
  const find = (column: string, value: string) =>
    choices.find((one) => one.column === column && one.value === value);
  const choose = (choice: ValueChoice) =>
    onChange([
      ...choices.filter(({ column, value }) => column !== choice.column || value !== choice.value),
      ...(choice.answer === 'order' ? [] : [choice]),
    ]);
  const rows = unread.flatMap(({ column, header, values }) =>
    values.map((one) => ({ ...one, column, header, choice: find(column, one.value) })),
  );
  return (
    <>
      {rows.length > 0 ? (
        <Panel title="What else the rows say" aside={<span className="dim small">asked once</span>} flush>
          <DataTable
            caption="Values of columns that are not read, and what is done with their rows"
            rows={rows}
            keyOf={({ column, value }) => `${column} ${value}`}
            columns={[
              { title: 'Column', lead: true, cell: ({ header }) => <Foreign as="line" text={header} /> },
              {
                title: 'Says',
                grow: true,
                cell: ({ text }) =>
                  text === '' ? <span className="dim">nothing</span> : <Foreign text={text} />,
              },
              { title: 'Rows', align: 'right', cell: ({ rows: count }) => formatCount(count) },
              {
                title: 'What to do',
                cell: ({ column, value, header, text, choice }) => (
                  <span className="row">
                    <NativeSelect
                      size="xs"
                      className={css.choice}
                      aria-label={`Rows in which ${header.slice(0, 40)} says ${text.slice(0, 40) || 'nothing'}`}
                      data={standsForMany(value) ? answers.filter((one) => one.value !== 'pieces') : answers}
                      value={choice?.answer ?? 'order'}
                      onChange={(event) => {
                        const answer = event.currentTarget.value as ValueChoice['answer'];
                        choose({ column, value, answer, ...(answer === 'pieces' ? { pieces: 12 } : {}) });
                      }}
                    />
                    {choice?.answer === 'pieces' ? (
                      <NumberInput
                        size="xs"
                        min={1}
                        max={100_000}
                        allowDecimal={false}
                        aria-label={`Pieces in one ${text.slice(0, 40)}`}
                        value={choice.pieces ?? ''}
                        onChange={(pieces) => {
                          if (typeof pieces === 'number' && pieces >= 1) choose({ ...choice, pieces });
                        }}
                      />
                    ) : null}
                  </span>
                ),
              },
            ]}
          />
        </Panel>
      ) : null}
      {besides.length > 0 ? (
        <Panel title="What else to look at">
          <ul className="stack-tight">
            {besides.map((sentence) => (
              <li key={sentence}>
                <Foreign text={`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`} />
              </li>
            ))}
          </ul>
          <p className="dim small">Later files in which it is the same are read without a question.</p>
        </Panel>
      ) : null}
    </>
  );
};
