import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivityAnswer } from '../../api/schemas/activity.ts';
import { apiUrl, request } from '../data/request.ts';
import { ActedOn } from './ActedOn.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { LoadingRows } from './LoadingRows.tsx';

const shown = 50;

/** The POs that a run changed: the first of them, and a way to all. */
export const ChangedByRun = ({ run }: { run: string }) => {
  const list = useQuery({
    queryKey: ['activity', 'run', run],
    queryFn: ({ signal }) =>
      request<ActivityAnswer>('/activity', { query: { bulkRun: run, limit: shown }, signal }),
  });
  if (list.error) return <LoadFailed error={list.error} onRetry={list.refetch} />;
  if (!list.data) return <LoadingRows rows={2} />;
  const { items, next } = list.data;
  if (items.length === 0) return <p className="dim">It has changed nothing.</p>;
  return (
    <>
      <ul>
        {items.map((entry) => (
          <li key={entry.id}>
            <ActedOn entry={entry} />
          </li>
        ))}
      </ul>
      {next ? <a href={apiUrl('/activity', { bulkRun: run, format: 'csv' })}>All of them as CSV</a> : null}
    </>
  );
};

/** A run over many POs in the list of activity: one line, which opens. */
export const RunEntry = ({ run, expected }: { run: string; expected: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{expected}</summary>
      <p>
        <Link to="/bulk/$id" params={{ id: run }}>
          The action and its progress
        </Link>
      </p>
      {isOpen ? <ChangedByRun run={run} /> : null}
    </details>
  );
};
