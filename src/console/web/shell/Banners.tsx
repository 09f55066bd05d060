import { useEffect, useState } from 'react';
import { Icon } from '../components/Icon.tsx';
import { useLiveState } from '../data/live.ts';
import { useMe } from '../data/session.ts';
import css from './LiveBanner.module.css';

/** How long a stream may take to reconnect before the page says that it is not live. */
const patience = 1500;

/** Says that the page is not live, so that a stale page never looks live. */
export const LiveBanner = () => {
  const state = useLiveState();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (state === 'live') {
      setIsLate(false);
      return;
    }
    const timer = setTimeout(() => setIsLate(true), patience);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status" aria-live="polite">
      {isLate && state !== 'live' ? (
        <p className={`${css.banner} tone-held`}>
          <Icon name="alert" />
          <span>
            <strong>Not live, reconnecting.</strong> What you see may be out of date.
          </span>
        </p>
      ) : null}
    </div>
  );
};

/** Says on every page that this is a sandbox. */
export const SandboxBanner = () =>
  useMe().isSandbox ? (
    <p className={`${css.banner} tone-held`}>
      <Icon name="alert" />
      <span>
        <strong>Sandbox.</strong> No order here is real: they go to a service on this machine, and their
        numbers begin with SANDBOX.
      </span>
    </p>
  ) : null;
