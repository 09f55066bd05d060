import { NativeSelect, NumberInput } from '@mantine/core';
import { Fragment } from 'react';
import type { PreviewAnswer, ValueChoice } from '../../../../api-contract/previews.ts';
import { TablePanel } from '../../components/DataTable.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCount } from '../../data/format.ts';
import css from './MappingEditor.module.css';

type Read = Extract<PreviewAnswer, { kind: 'read' }>;

interface UnreadColumnsProps {
  preview: Pick<Read, 'unread' | 'describing' | 'besides'>;
  choices: readonly ValueChoice[];
  onChange: (choices: ValueChoice[]) => void;
}

const answers: { value: ValueChoice['answer']; label: string }[] = [
  { value: 'order', label: 'Order such rows' },
  { value: 'leave_out', label: 'Leave them out' },
  { value: 'ask', label: 'Ask each time' },
  { value: 'pieces', label: 'Count in pieces' },
];

/** All other values of a column in later files: they raise a question unless a person decides otherwise. */
const otherValues = {
  value: ' *',
  text: 'anything else, in later files',
  rows: 0,
  isOne: true,
  saysNotToOrder: false,
  elsewhere: null,
};

/** The choices for rows with a value. */
const choicesOf = ({ value, isOne }: { value: string; isOne: boolean }) =>
  value === otherValues.value
    ? [
        { value: 'ask', label: 'Ask' },
        ...answers.filter((one) => one.value === 'order' || one.value === 'leave_out'),
      ]
    : answers.filter((one) => isOne || one.value !== 'pieces');

const usual = (value: string): ValueChoice['answer'] => (value === otherValues.value ? 'ask' : 'order');

/** The values of ignored columns with a choice for their rows, and other content besides the lines. */
export const UnreadColumns = ({
  preview: { unread, describing, besides },
  choices,
  onChange,
}: UnreadColumnsProps) => {
  const find = (column: string, value: string) =>
    choices.find((one) => one.column === column && one.value === value);
  const choose = (choice: ValueChoice) =>
    onChange([
      ...choices.filter(({ column, value }) => column !== choice.column || value !== choice.value),
      ...(choice.answer === usual(choice.value) ? [] : [choice]),
    ]);
  const rows = unread.flatMap(({ column, header, values }) =>
    [...values, ...(describing.includes(header) ? [] : [otherValues])].map((one) => ({
      ...one,
      column,
      header,
      choice: find(column, one.value),
    })),
  );
  return (
    <>
      {rows.length > 0 ? (
        <TablePanel
          title="What else the rows say"
          note="asked once"
          caption="Values of columns that are not read, and what is done with their rows"
          rows={rows}
          keyOf={({ column, value }) => `${column} ${value}`}
          columns={[
            { title: 'Column', lead: true, line: ({ header }) => header },
            {
              title: 'Says',
              grow: true,
              cell: ({ text, saysNotToOrder, elsewhere }) => (
                <>
                  {text === '' ? <span className="dim">nothing</span> : <UntrustedText text={text} />}
                  {saysNotToOrder ? (
                    <div className="small">
                      <strong>not to be ordered?</strong>
                    </div>
                  ) : null}
                  {elsewhere ? (
                    <div className="small dim">
                      proposed as in the layout <UntrustedText text={elsewhere.layout} />
                    </div>
                  ) : null}
                </>
              ),
            },
            {
              title: 'Rows',
              align: 'right',
              cell: ({ rows: count }) => (count > 0 ? formatCount(count) : ''),
            },
            {
              title: 'What to do',
              act: true,
              cell: ({ column, value, header, text, isOne, choice }) => (
                <span className="row">
                  <NativeSelect
                    size="xs"
                    className={css.choice}
                    aria-label={`Rows in which ${header.slice(0, 40)} says ${text.slice(0, 40) || 'nothing'}`}
                    data={choicesOf({ value, isOne })}
                    value={choice?.answer ?? usual(value)}
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
      ) : null}
      {describing.length > 0 ? (
        <p className="dim small">
          {describing.map((header, at) => (
            <Fragment key={header}>
              {at > 0 ? ', ' : ''}
              <UntrustedText text={header} />
            </Fragment>
          ))}{' '}
          {describing.length === 1 ? 'describes' : 'describe'} the items: each item has a text of its own. In
          later files, only a text that says not to order is asked about.
        </p>
      ) : null}
      {besides.length > 0 ? (
        <Panel title="What else to look at">
          <ul className="stack-tight">
            {besides.map((sentence) => (
              <li key={sentence}>
                <UntrustedText text={`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`} />
              </li>
            ))}
          </ul>
          <p className="dim small">Later files in which it is the same are read without a question.</p>
        </Panel>
      ) : null}
    </>
  );
};
