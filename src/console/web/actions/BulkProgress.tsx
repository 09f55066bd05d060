import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BulkRun } from '../../../api-contract/bulk.ts';
import { Badge, type Look } from '../components/badges.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed, ProblemNote } from '../components/page-parts.tsx';
import { UntrustedText } from '../components/text.tsx';
import { formatCount, formatCountOf } from '../data/format.ts';
import { post, useRead } from '../data/request.ts';
import { useMayAct } from '../data/session.ts';
import css from './BulkProgress.module.css';

const bulkLooks: Record<BulkRun['state'], Look> = {
  waiting: { tone: 'progress', icon: 'clock', word: 'Waiting' },
  running: { tone: 'progress', icon: 'clock', word: 'Running' },
  stopped: { tone: 'ended', icon: 'stop', word: 'Stopped' },
  finished: { tone: 'ordered', icon: 'check', word: 'Finished' },
};

const isEnded = ({ state }: BulkRun): boolean => state === 'stopped' || state === 'finished';

interface BulkProgressProps {
  id: string;
  initial?: BulkRun;
  /** Content below, depending on whether the run has ended. */
  children?: (isOver: boolean) => ReactNode;
}

/** The progress of a bulk run, why some POs could not be changed, and a way to stop it. */
export const BulkProgress = ({ id, initial, children }: BulkProgressProps) => {
  const client = useQueryClient();
  const run = useRead<BulkRun>(['bulk', id], `/bulk/${id}`, {
    refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : 1000),
    ...(initial ? { initialData: initial } : {}),
  });
  const stop = useMutation({
    mutationFn: () => post<BulkRun>(`/bulk/${id}/stop`),
    onSettled: () => client.invalidateQueries({ queryKey: ['bulk'] }),
  });
  const mayAct = useMayAct();
  if (run.error && !run.data) return <LoadFailed error={run.error} onRetry={run.refetch} />;
  if (!run.data) return null;
  const { sentence, state, expected, tried, done, notDone, reasons, stoppedBy } = run.data;
  return (
    <div className="stack-tight">
      <div className="spread">
        <strong>{sentence}</strong>
        <Badge look={bulkLooks[state]} />
      </div>
      <progress className={css.bar} max={Math.max(1, expected)} value={tried} aria-label="Progress" />
      <p role="status">
        {formatCount(tried)} of {formatCountOf(expected, 'purchase order')} tried, {formatCount(done)} changed
        {notDone > 0 ? `, ${formatCount(notDone)} could not be changed` : ''}.
        {state === 'stopped' && stoppedBy ? ` Stopped by ${stoppedBy}.` : ''}
      </p>
      {reasons.length > 0 ? (
        <ul className="scrolls dim">
          {reasons.map(({ why, count }) => (
            <li key={why}>
              {formatCount(count)} × <UntrustedText text={why} />
            </li>
          ))}
        </ul>
      ) : null}
      {stop.error ? <ProblemNote error={stop.error} /> : null}
      {isEnded(run.data) || !mayAct ? null : (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="stop" />}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop after the current purchase order
          </Button>
        </div>
      )}
      {children?.(isEnded(run.data))}
    </div>
  );
};
