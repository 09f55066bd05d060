import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { later, preloadWhenIdle } from '../components/later.tsx';
import { LoadFailed } from '../components/page-parts.tsx';
import { onSessionEnded, RequestFailed } from '../data/request.ts';
import { MeContext, readMe } from '../data/session.ts';

const FrontDoor = later(() => import('./FrontDoor.tsx'));
const SessionEnded = later(() => import('./SessionEnded.tsx'));

/** The secret of the one-time link is behind `#`, so that no server and no log sees it. */
const readLink = (): string | undefined =>
  location.pathname === '/set-up' && location.hash.length > 1 ? location.hash.slice(1) : undefined;

/**
 * Shows the pages to a person who is signed in, and the front door to everybody else. When the session ends while a
 * page is open, a dialog asks for the password above it, and what waited for it continues.
 */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const client = useQueryClient();
  const [link, setLink] = useState(readLink);
  const [ended, setEnded] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  const me = useQuery({ queryKey: ['me'], queryFn: readMe, staleTime: Number.POSITIVE_INFINITY });
  const name = me.data?.name;

  useEffect(() => {
    if (!name) return;
    // A session can also end because Cartwright was updated, and then nobody serves this part any more.
    preloadWhenIdle(SessionEnded);
    onSessionEnded(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setEnded(true);
        }),
    );
    return () => onSessionEnded(undefined);
  }, [name]);

  // It is asked again; meanwhile the page already says why it is empty. A page that is shown stays, with what was entered.
  const failure = me.data ? null : (me.error ?? me.failureReason);
  if (failure && !(failure instanceof RequestFailed && failure.status === 401)) {
    return (
      <FrontDoor title="The console cannot be used right now">
        <LoadFailed error={failure} onRetry={() => me.refetch()} />
      </FrontDoor>
    );
  }
  if (me.isPending) return null;
  const enter = () => {
    // The link has been used; it must not stay in the address.
    if (location.pathname === '/set-up') history.replaceState(null, '', '/');
    setLink(undefined);
    return client.resetQueries();
  };
  if (!me.data) {
    return <FrontDoor link={link} onSignedIn={enter} />;
  }

  const resume = async () => {
    const again = await client.fetchQuery({ queryKey: ['me'], queryFn: readMe, staleTime: 0 });
    if (again.name !== name) {
      // Somebody else signed in: this page was another person's.
      location.reload();
      return;
    }
    setEnded(false);
    for (const resolve of waiting.current.splice(0)) resolve();
  };
  return (
    <MeContext value={me.data}>
      {children}
      {ended ? <SessionEnded name={me.data.name} onSignedIn={resume} /> : null}
    </MeContext>
  );
};
