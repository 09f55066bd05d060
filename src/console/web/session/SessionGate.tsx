import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { lazyComponent, preloadWhenIdle } from '../components/later.tsx';
import { LoadFailed } from '../components/page-parts.tsx';
import { onSessionEnded, RequestFailed } from '../data/request.ts';
import { MeContext, readMe } from '../data/session.ts';

const FrontDoor = lazyComponent(() => import('./FrontDoor.tsx'));
const SessionEnded = lazyComponent(() => import('./SessionEnded.tsx'));

/** The secret of the one-time link follows `#`, so that no server or log sees it. */
const readLink = (): string | undefined =>
  location.pathname === '/set-up' && location.hash.length > 1 ? location.hash.slice(1) : undefined;

/**
 * Shows the pages to a signed-in person, and the front door to everybody else. When the session ends while a page is open, a dialog above
 * it asks the person to sign in, and waiting requests continue.
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
    // Preloaded, because a session can end through an update, after which this part is no longer served.
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

  // The query retries; meanwhile the page says why it is empty. A page already shown stays, with its input.
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
    // The link has been used, so remove it from the address.
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
      // Another person signed in, so discard the previous person's page.
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
