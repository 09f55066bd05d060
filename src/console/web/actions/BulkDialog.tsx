import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { actOn, isDangerous } from '../../../api-contract/action-words.ts';
import type { OfferedAction } from '../../../api-contract/basics.ts';
import type { BulkCountAnswer, BulkRun } from '../../../api-contract/bulk.ts';
import type { PoFilter } from '../../../api-contract/purchase-orders.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { NoteField } from '../components/NoteDialog.tsx';
import { LoadFailed, LoadingRows, ProblemNote } from '../components/page-parts.tsx';
import { formatCapped, formatCountOf, formatSum } from '../data/format.ts';
import { post } from '../data/request.ts';
import { AlreadyRunning } from './ActionFailed.tsx';
import { useAssignee } from './AssigneeField.tsx';
import { BulkProgress } from './BulkProgress.tsx';

interface BulkDialogProps {
  offered: Pick<OfferedAction, 'action' | 'effect'>;
  filter: PoFilter;
  onClose: () => void;
}

/** Counts the POs that match, confirms with the count, starts the run and shows its progress. */
const BulkDialog = ({ offered, filter, onClose }: BulkDialogProps) => {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const { action, effect } = offered;
  const { assignee, field } = useAssignee(action, filter.account);
  const counted = useQuery({
    queryKey: ['bulk-count', action, filter],
    queryFn: () => post<BulkCountAnswer>('/bulk/count', { action, filter }),
    // The confirmed number must not change while the dialog is open.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: (expected: number) =>
      post<BulkRun>('/bulk', {
        ...{ action, filter, expected },
        note: note.trim() || undefined,
        assignee,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['bulk'] }),
    onError: () => counted.refetch(),
  });
  const exact = counted.data?.exact ?? null;
  const none = exact === 0;
  const doing = (count: number) => actOn(action, formatCountOf(count, 'purchase order'), count);
  const title = start.data
    ? doing(start.data.expected)
    : exact
      ? `${doing(exact)}?`
      : actOn(action, 'all purchase orders that match', 0);
  return (
    <Dialog onClose={onClose} title={title} size={560}>
      {start.data ? (
        <BulkProgress id={start.data.id} initial={start.data}>
          {(isOver) => (
            <div className="row">
              <Button onClick={onClose}>{isOver ? 'Close' : 'Continue working'}</Button>
              {isOver ? null : <span className="dim small">The action continues in the background.</span>}
            </div>
          )}
        </BulkProgress>
      ) : counted.isPending ? (
        <LoadingRows rows={3} />
      ) : counted.error ? (
        <LoadFailed error={counted.error} onRetry={counted.refetch} />
      ) : (
        <Form onSubmit={() => exact && start.mutate(exact)}>
          <p>
            <strong>{counted.data.sentence}</strong>
          </p>
          {formatSum(counted.data.sum) ? <p>Together {formatSum(counted.data.sum)}.</p> : null}
          <p>{effect}</p>
          {counted.data.running.length > 0 ? <AlreadyRunning runs={counted.data.running} /> : null}
          {exact === null ? (
            <ProblemNote
              error={`${formatCapped(counted.data.count)} purchase orders match, more than one run may change. Narrow the filter.`}
            />
          ) : none && counted.data.others > 0 ? null : none ? (
            <p>Nothing matches any more. Somebody else may have acted, or the purchase orders moved on.</p>
          ) : (
            <>
              {field}
              <NoteField value={note} onChange={setNote} />
            </>
          )}
          {start.error ? <ProblemNote error={start.error} /> : null}
          <div className="row">
            {exact ? (
              <Button type="submit" loading={start.isPending} color={isDangerous(action) ? 'red' : undefined}>
                {doing(exact)}
              </Button>
            ) : null}
            <Button variant="default" onClick={onClose}>
              {exact ? 'Do nothing' : 'Close'}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
};

export default BulkDialog;
