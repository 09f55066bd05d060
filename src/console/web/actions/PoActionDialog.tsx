import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { actOn, isDangerous } from '../../../api-contract/action-words.ts';
import type { ActionAnswer } from '../../../api-contract/actions.ts';
import type { OfferedAction } from '../../../api-contract/basics.ts';
import { poName } from '../../../api-contract/po-words.ts';
import { announce } from '../components/announce.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { NoteField } from '../components/NoteDialog.tsx';
import { UntrustedText } from '../components/text.tsx';
import { formatCount, formatCountOf } from '../data/format.ts';
import { post } from '../data/request.ts';
import { ActionFailed } from './ActionFailed.tsx';
import { useAssignee } from './AssigneeField.tsx';

interface PoActionDialogProps {
  offered: Pick<OfferedAction, 'action' | 'effect'>;
  /** The POs as the person sees them; one that has changed since is refused. */
  purchaseOrders: readonly { id: string; account: string; poNumber: string; changedAt: string }[];
  onClose: () => void;
  onDone?: () => void;
}

const mostNamed = 12;
const longestNumber = 40;

const listNumbers = (purchaseOrders: PoActionDialogProps['purchaseOrders']): string => {
  const named = purchaseOrders.slice(0, mostNamed).map(({ poNumber }) => poNumber.slice(0, longestNumber));
  const more = purchaseOrders.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
};

/** Confirms an action on POs that the person picked, with their number and a note, and shows the outcome of each. */
export const PoActionDialog = ({ offered, purchaseOrders, onClose, onDone }: PoActionDialogProps) => {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const accounts = new Set(purchaseOrders.map(({ account }) => account));
  const only = accounts.size === 1 ? purchaseOrders[0]?.account : undefined;
  const { assignee, field } = useAssignee(offered.action, only);
  const act = useMutation({
    mutationFn: () =>
      post<ActionAnswer>('/purchase-orders/actions', {
        action: offered.action,
        items: purchaseOrders.map(({ id, changedAt }) => ({ id, changedAt })),
        assignee,
        note: note.trim() || undefined,
      }),
    onSettled: () => client.invalidateQueries(),
    onSuccess: (answer) => {
      if (answer.notDone > 0) return;
      announce(answer.sentence);
      onDone?.();
      onClose();
    },
  });
  const one = purchaseOrders.length === 1 ? purchaseOrders[0] : undefined;
  const what = one
    ? poName(one.poNumber.slice(0, 60))
    : formatCountOf(purchaseOrders.length, 'purchase order');
  const doing = actOn(offered.action, what, purchaseOrders.length);
  const isOver = act.isSuccess || act.isError;
  const close = () => {
    if (act.isSuccess) onDone?.();
    onClose();
  };
  return (
    <Dialog onClose={close} title={`${doing}?`} size={520}>
      <Form onSubmit={() => act.mutate()}>
        <p>{offered.effect}</p>
        {one || isOver ? null : (
          <p className="small">
            <UntrustedText text={listNumbers(purchaseOrders)} />
          </p>
        )}
        {isOver ? null : (
          <>
            {field}
            <NoteField value={note} onChange={setNote} />
          </>
        )}
        {act.isError ? <ActionFailed error={act.error} /> : null}
        {act.data ? <ActionFailed answer={act.data} /> : null}
        <div className="row">
          {isOver ? null : (
            <Button
              type="submit"
              loading={act.isPending}
              color={isDangerous(offered.action) ? 'red' : undefined}
            >
              {doing}
            </Button>
          )}
          <Button variant="default" onClick={close}>
            {isOver ? 'Close' : 'Do nothing'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
