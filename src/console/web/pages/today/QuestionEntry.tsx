import { Button, Checkbox, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ShownQuestion } from '../../../../api-contract/layouts.ts';
import { useDialog } from '../../components/Dialog.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { ImportLink, PoLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatCountOf, plain } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { Entry } from './Entry.tsx';

const answers = {
  order: {
    label: 'Order such rows',
    effect: 'The POs continue with these rows. Such rows of later files are ordered, too.',
  },
  leave_out: {
    label: 'Leave them out',
    effect: 'The POs are rebuilt without these rows. Such rows of later files are skipped, too.',
  },
  pieces: {
    label: 'Count in pieces',
    effect: 'The quantities of these rows are multiplied, and so are those of later files.',
  },
  ask: {
    label: 'Ask each time',
    effect: 'The POs stay held until you release or cancel them. The next file with this value asks again.',
  },
} as const;
type Answer = keyof typeof answers;

interface AnswerDialogProps {
  question: ShownQuestion;
  answer: Answer;
  onClose: () => void;
}

const AnswerDialog = ({ question, answer, onClose }: AnswerDialogProps) => {
  const [pieces, setPieces] = useState<number>();
  const [wholeColumn, setWholeColumn] = useState(false);
  const { label, effect } = answers[answer];
  const { id, rows, purchaseOrders, column, value } = question;
  return (
    <NoteDialog
      confirm={label}
      isDangerous={answer === 'leave_out'}
      ready={answer !== 'pieces' || pieces !== undefined}
      onClose={onClose}
      act={(note) => post(`/questions/${id}/answer`, { answer, wholeColumn, pieces, note })}
    >
      <p>
        {formatCountOf(rows, 'row')} of {formatCountOf(purchaseOrders, 'purchase order')} in which “
        <UntrustedText text={column} />” says “<UntrustedText text={value || '(blank)'} />
        ”. {effect}
      </p>
      {answer === 'pieces' ? (
        <NumberInput
          label="Pieces in one of it"
          description="12 for a dozen: a quantity of 2 is then ordered as 24."
          min={1}
          max={100_000}
          allowDecimal={false}
          value={pieces ?? ''}
          onChange={(next) => setPieces(typeof next === 'number' ? next : undefined)}
        />
      ) : null}
      <Checkbox
        label="The same for every other value of this column that is new"
        checked={wholeColumn}
        onChange={(event) => setWholeColumn(event.currentTarget.checked)}
      />
    </NoteDialog>
  );
};

/** A value that no file with its header had before, with the answers. */
export const QuestionEntry = ({ question }: { question: ShownQuestion }) => {
  const mayAct = useMayAct();
  const openDialog = useDialog();
  const { account, message, rows, purchaseOrders, firstPo, importId, fileName, since } = question;
  const ask = (answer: Answer) =>
    openDialog((close) => <AnswerDialog question={question} answer={answer} onClose={close} />);
  return (
    <Entry
      tone="held"
      icon="alert"
      title={<PoLink id={firstPo.id} name={plain(message)} />}
      meta={
        <>
          {account} · {formatCountOf(rows, 'row')} of {formatCountOf(purchaseOrders, 'purchase order')}, first{' '}
          <UntrustedText text={firstPo.poNumber} /> of <ImportLink id={importId} name={fileName} /> · since{' '}
          <Time at={since} account={account} relative />
        </>
      }
    >
      {mayAct ? (
        <div className="row">
          {(Object.keys(answers) as Answer[]).map((answer) => (
            <Button
              key={answer}
              size="xs"
              variant={answer === 'order' ? 'filled' : 'default'}
              onClick={() => ask(answer)}
            >
              {answers[answer].label} …
            </Button>
          ))}
        </div>
      ) : null}
    </Entry>
  );
};
