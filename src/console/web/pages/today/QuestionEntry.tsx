import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownQuestion } from '../../../api/schemas/layouts.ts';
import { useDialog } from '../../components/DialogHost.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCountOf } from '../../data/format.ts';
import { plain } from '../../data/plain.ts';
import { request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { Entry } from './Entry.tsx';

const answers = {
  order: {
    label: 'Order such rows',
    effect: 'The POs go on with these rows, and so do those of later files.',
  },
  leave_out: {
    label: 'Leave them out',
    effect: 'The POs are made again without these rows, and such rows of later files are left out, too.',
  },
  ask: {
    label: 'Ask each time',
    effect: 'The POs wait on until you release or cancel them, and the next file with this value asks again.',
  },
} as const;
type Answer = keyof typeof answers;

/** A value that no file with its header had before, with the three answers. */
export const QuestionEntry = ({ question }: { question: ShownQuestion }) => {
  const mayAct = useMayAct();
  const openDialog = useDialog();
  const { id, account, column, value, message, rows, purchaseOrders, firstPo, importId, fileName, since } =
    question;
  const ask = (answer: Answer) =>
    openDialog((close) => (
      <NoteDialog
        title={`${answers[answer].label}?`}
        confirm={answers[answer].label}
        isDangerous={answer === 'leave_out'}
        onClose={close}
        act={(note) =>
          request<{ sentence: string }>(`/questions/${id}/answer`, {
            method: 'POST',
            body: { answer, ...(note ? { note } : {}) },
          })
        }
      >
        <p>
          {formatCountOf(rows, 'row')} of {formatCountOf(purchaseOrders, 'purchase order')} in which “
          <Foreign text={column} />” says “<Foreign text={value || '(blank)'} />
          ”. {answers[answer].effect}
        </p>
      </NoteDialog>
    ));
  return (
    <Entry
      tone="held"
      icon="alert"
      title={
        <Link to="/purchase-orders/$id" params={{ id: firstPo.id }}>
          <Foreign text={plain(message)} />
        </Link>
      }
      meta={
        <>
          {account} · {formatCountOf(rows, 'row')} of {formatCountOf(purchaseOrders, 'purchase order')}, first{' '}
          <Foreign text={firstPo.poNumber} /> of{' '}
          <Link to="/imports/$id" params={{ id: importId }}>
            <Foreign text={fileName} />
          </Link>{' '}
          · since <Time at={since} account={account} relative />
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
