import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivityAnswer, ActivityEntry } from '../../../api-contract/activity.ts';
import { activityDetail } from '../../../api-contract/activity-words.ts';
import { poName } from '../../../api-contract/po-words.ts';
import { apiUrl, useRead } from '../data/request.ts';
import { ListBody } from './page-parts.tsx';
import { AccountLink, ImportLink, PoLink, UntrustedText } from './text.tsx';

/** The object of an activity entry. */
export const ActedOn = ({ entry }: { entry: ActivityEntry }) => {
  const { purchaseOrderId, poNumber, importId, fileName, account, detail } = entry;
  const more = activityDetail(entry.action, detail);
  const named = [detail?.user, detail?.token, detail?.view].find((one) => typeof one === 'string');
  return (
    <>
      {purchaseOrderId && poNumber ? <PoLink id={purchaseOrderId} name={poName(poNumber)} /> : null}
      {purchaseOrderId && importId ? ' in ' : ''}
      {importId ? <ImportLink id={importId} name={fileName ?? `import ${importId}`} /> : null}
      {!purchaseOrderId && !importId && account ? <AccountLink account={account} /> : null}
      {typeof named === 'string' ? <UntrustedText text={named} /> : null}
      {typeof detail?.assignee === 'string' ? (
        <>
          {' to '}
          <UntrustedText text={detail.assignee} />
        </>
      ) : null}
      {more === undefined ? null : (
        <div className="dim">
          <UntrustedText text={more} />
        </div>
      )}
    </>
  );
};

const shown = 50;

/** The first POs that a run changed, with a link to all. */
export const ChangedByRun = ({ run }: { run: string }) => {
  const list = useRead<ActivityAnswer>(['activity', 'run', run], '/activity', {
    query: { bulkRun: run, limit: shown },
  });
  return (
    <ListBody list={list} empty={<p className="dim">It has changed nothing.</p>}>
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

/** A bulk run in the activity list: one line that expands. */
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
