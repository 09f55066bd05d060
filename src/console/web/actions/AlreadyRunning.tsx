import { Link } from '@tanstack/react-router';
import type { BulkCountAnswer } from '../../api/schemas/bulk.ts';
import { Icon } from '../components/Icon.tsx';
import { Time, UntrustedText } from '../components/text.tsx';
import css from './ActionFailed.module.css';

/** Names the actions that others, or this person, have started and that may come to the same POs. */
export const AlreadyRunning = ({ runs }: { runs: BulkCountAnswer['running'] }) => (
  <div role="note" className={css.box}>
    <p className={css.title}>
      <Icon name="alert" />
      Another action on the same purchase orders is still running
    </p>
    <ul className={css.list}>
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
