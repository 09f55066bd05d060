import { Link, useSearch } from '@tanstack/react-router';
import type { TodayAnswer } from '../../../../api-contract/today.ts';
import { Icon } from '../../components/Icon.tsx';
import { LoadingRows, NotRead, PageHead, Panel } from '../../components/page-parts.tsx';
import { Time } from '../../components/text.tsx';
import { isFirstView } from '../../data/first-data.ts';
import { useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { PageZone, useColumnZone } from '../../data/zones.tsx';
import { Hours } from './Hours.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { ScheduledRuns, ServiceCalls } from './Night.tsx';
import { Running } from './Running.tsx';
import css from './TodayPage.module.css';

const wholeAddress = { exact: true, includeSearch: true };

/** What needs a person, what is running, and the last 24 hours. */
const TodayPage = () => {
  const { mine } = useSearch({ from: '/' });
  const isMine = mine === 'true';
  const me = useMe();
  const today = useRead<TodayAnswer>(isMine ? ['today', 'mine'] : ['today'], '/today', {
    query: { mine: isMine || undefined },
  });
  // On the server, the browser's time zone is unknown.
  const column = useColumnZone(undefined);
  if (!today.data) return <NotRead title="Today" query={today} />;
  const { quiet, sentence, asOf } = today.data;
  return (
    <PageZone.Provider value={column}>
      <PageHead
        title="Today"
        lead={
          isFirstView ? null : (
            <>
              As of <Time at={asOf} column={column} /> ({column.name})
            </>
          )
        }
      />
      <p className={`${css.sentence} tone-${quiet ? 'ordered' : 'held'}`}>
        <span className="mark large">
          <Icon name={quiet ? 'check' : 'alert'} size={18} />
        </span>
        {sentence}
      </p>
      <nav className="row" aria-label="What is shown">
        <Link to="/" search={{}} activeOptions={wholeAddress} className={css.choice!}>
          Everything
        </Link>
        <Link to="/" search={{ mine: 'true' }} activeOptions={wholeAddress} className={css.choice!}>
          Mine
        </Link>
        <Link to="/purchase-orders" search={{ needs: 'nobody' }} className={css.choice!}>
          POs not needed
        </Link>
        <Link to="/imports" search={{ outcome: 'not_needed' }} className={css.choice!}>
          Files not needed
        </Link>
      </nav>
      <div className={css.grid}>
        <div className="stack">
          {quiet ? null : <NeedsYou today={today.data} assignee={isMine ? me.name : undefined} />}
          <Running today={today.data} />
        </div>
        <div className="stack">
          {isFirstView ? (
            // In hours of the browser's time zone.
            <Panel title="Last 24 hours">
              <LoadingRows />
            </Panel>
          ) : (
            <>
              <Hours hours={today.data.hours} column={column} />
              <ServiceCalls calls={today.data.calls} />
              <ScheduledRuns today={today.data} />
            </>
          )}
        </div>
      </div>
    </PageZone.Provider>
  );
};

export default TodayPage;
