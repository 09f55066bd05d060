import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivityAnswer } from '../../api/schemas/activity.ts';
import { apiUrl } from '../data/request.ts';
import { useRead } from '../data/use-read.ts';
import { ActedOn } from './ActedOn.tsx';
import { ListBody } from './ListBody.tsx';

const shown = 50;

/** The POs that a run changed: the first of them, and a way to all. */
export const ChangedByRun = ({ run }: { run: string }) => {
  const list = useRead<ActivityAnswer>(['activity', 'run', run], '/activity', {
    query: { bulkRun: run, limit: shown },
  });
  return (
    <ListBody
      list={list}
      isEmpty={({ items }) => items.length === 0}
      empty={<p className="dim">It has changed nothing.</p>}
    >
      {({ items, next }) => (
        <>
          <ul>
            {items.map((entry) => (
              <li key={entry.id}>
                <ActedOn entry={entry} />
              </li>
            ))}
          </ul>
          {next ? (
            <a href={apiUrl('/activity', { bulkRun: run, format: 'csv' })}>All of them as CSV</a>
          ) : null}
        </>
      )}
    </ListBody>
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
