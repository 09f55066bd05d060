import { Link } from '@tanstack/react-router';
import type { ActionAnswer } from '../../../api-contract/actions.ts';
import type { BulkCountAnswer } from '../../../api-contract/bulk.ts';
import { Icon } from '../components/Icon.tsx';
import { ProblemNote } from '../components/page-parts.tsx';
import { PoLink, Time, UntrustedText } from '../components/text.tsx';
import { RequestFailed } from '../data/request.ts';

interface ActionFailedProps {
  error?: unknown;
  answer?: ActionAnswer;
}

const readResults = (error: unknown): ActionAnswer['results'] =>
  error instanceof RequestFailed && Array.isArray((error.answer as ActionAnswer | undefined)?.results)
    ? (error.answer as ActionAnswer).results
    : [];

/** Why each PO was not changed. Usually another person was faster, which is not this person's mistake. */
export const ActionFailed = ({ error, answer }: ActionFailedProps) => {
  const results = (answer?.results ?? readResults(error)).filter(({ done }) => !done);
  if (results.length === 0) return <ProblemNote error={error} />;
  const isConflict = error instanceof RequestFailed && error.status === 409;
  return (
    <div role="alert" className="stack-tight notice tone-held">
      <p className="icon-text medium toned">
        <Icon name="info" />
        {isConflict ? 'This changed while you were looking at it' : answer?.sentence}
      </p>
      <ul className="scrolls">
        {results.map(({ id, poNumber, why }) => (
          <li key={id}>
            <PoLink id={id} name={poNumber} />: <UntrustedText text={why ?? ''} />
          </li>
        ))}
      </ul>
      <p className="small">The page now shows the present state. Close this and decide again.</p>
    </div>
  );
};

/** Names running actions that may affect the same POs. */
export const AlreadyRunning = ({ runs }: { runs: BulkCountAnswer['running'] }) => (
  <div role="note" className="stack-tight notice tone-held">
    <p className="icon-text medium toned">
      <Icon name="alert" />
      Another action on the same purchase orders is still running
    </p>
    <ul className="scrolls">
      {runs.map(({ id, who, sentence, createdAt }) => (
        <li key={`${id} ${createdAt}`}>
          <UntrustedText text={who} />, <Time at={createdAt} relative />:{' '}
          {id === null ? (
            <UntrustedText text={sentence} />
          ) : (
            <Link to="/bulk/$id" params={{ id }}>
              <UntrustedText text={sentence} />
            </Link>
          )}
        </li>
      ))}
    </ul>
    <p className="small">
      Each purchase order gets the action that comes to it first. Wait for the other one to end if it decides
      something else.
    </p>
  </div>
);
