import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OrderSummary, RefreshAnswer } from '../../../../api-contract/orders.ts';
import { announce } from '../../components/announce.ts';
import { Icon } from '../../components/Icon.tsx';
import { ProblemNote } from '../../components/page-parts.tsx';
import { formatCount, formatCountOf } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Each is a call to the service; small requests show progress and can be stopped. */
const atOnce = 5;

interface RefreshShownProps {
  /** All orders on the page. */
  shown: readonly OrderSummary[];
  /** If not empty, only these are refreshed. */
  selected: readonly OrderSummary[];
}

/** Refreshes the selected orders, or all on the page, one purchase order after the other. */
export const RefreshShown = ({ shown, selected }: RefreshShownProps) => {
  const isChoice = selected.length > 0;
  const ids = [...new Set((isChoice ? selected : shown).map(({ purchaseOrderId }) => purchaseOrderId))];
  const mayAct = useMayAct();
  const client = useQueryClient();
  const [asked, setAsked] = useState(0);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: async () => {
      stopped.current = false;
      setAsked(0);
      let changes = 0;
      let read = 0;
      for (let from = 0; from < ids.length && !stopped.current; from += atOnce) {
        const some = ids.slice(from, from + atOnce);
        const answer = await post<RefreshAnswer>('/orders/refresh', { purchaseOrderIds: some });
        changes += answer.changes;
        read += some.length;
        setAsked(read);
      }
      return `${formatCountOf(read, 'purchase order')} read, ${changes === 0 ? 'nothing has changed' : formatCountOf(changes, 'change')}.`;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
    onSuccess: announce,
  });
  if (!mayAct || ids.length === 0) return null;
  if (!run.isPending)
    return (
      <>
        {run.error ? <ProblemNote error={run.error} /> : null}
        <Button variant="default" leftSection={<Icon name="retry" />} onClick={() => run.mutate()}>
          {isChoice
            ? `Read ${formatCount(ids.length)} selected now`
            : `Read ${ids.length === 1 ? 'this one' : `these ${ids.length}`} now`}
        </Button>
      </>
    );
  return (
    <span className="row" role="status">
      <progress max={ids.length} value={asked} aria-label="Purchase orders read" />
      {asked} of {ids.length}
      <Button
        variant="default"
        onClick={() => {
          stopped.current = true;
        }}
      >
        Stop
      </Button>
    </span>
  );
};
