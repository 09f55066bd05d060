import { Button } from '@mantine/core';
import { type ComponentType, createElement, type ReactNode, use, useEffect, useState } from 'react';
import { RequestFailed } from '../data/request.ts';
import { Icon } from './Icon.tsx';
import { LoadFailed } from './page-parts.tsx';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

type LaterPart<Props> = ((props: Props) => ReactNode) & {
  /** Never rejects. */ preload: () => Promise<void>;
};

const missing = new RequestFailed(
  0,
  'unreachable',
  'This page needs a part of the console that could not be loaded. Cartwright is not running at the moment, or was updated while this page was open.',
);

/** Loads the whole page again once a server answers: before, the browser would replace it with an error page of its own. */
export const reloadOnceReachable = async (): Promise<void> => {
  const answers = await fetch('/api/v1/me', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (answers) location.reload();
};

/** The code of a part of the page: loaded at most once, and tried again after it failed. */
const createPart = <Props extends object>(load: Load<Props>) => {
  let loading: Promise<void> | undefined;
  const part = {
    Loaded: undefined as ComponentType<Props> | undefined,
    hasFailed: false,
    /** Never rejects. */
    load: (): Promise<void> => {
      if (loading) return loading;
      part.hasFailed = false;
      loading = load().then(
        (module) => {
          part.Loaded = module.default;
        },
        () => {
          part.hasFailed = true;
          loading = undefined;
        },
      );
      return loading;
    },
  };
  return part;
};

/**
 * A page whose code is loaded when it is opened. Where that fails the rest of the app stays, with its banner and a way to try
 * again: the router's own function would load the address anew, which leaves the app while no server answers.
 */
export const laterPage = (load: Load<object>) => {
  const part = createPart(load);
  const Page: ComponentType & { preload?: () => Promise<void> } = () => {
    if (!part.Loaded && !part.hasFailed) use(part.load());
    return part.Loaded ? (
      createElement(part.Loaded)
    ) : (
      <LoadFailed error={missing} onRetry={reloadOnceReachable} />
    );
  };
  Page.preload = part.load;
  return Page;
};

const MissingPart = ({ children }: { children: ReactNode }) => (
  <div role="alert" className="corner">
    <div className="stack-tight raised">
      <p>{missing.message}</p>
      {children}
    </div>
  </div>
);

/** A component that is loaded when it is shown for the first time; until then its place is empty. */
export const later = <Props extends object>(load: Load<Props>): LaterPart<Props> => {
  const part = createPart(load);
  const Later: LaterPart<Props> = (props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(part.Loaded ? 'loaded' : 'loading');
    const [loadPart] = useState(
      () => () => part.load().then(() => setState(part.Loaded ? 'loaded' : 'failed')),
    );
    useEffect(() => void loadPart(), [loadPart]);
    if (part.Loaded) return createElement(part.Loaded, props);
    if (state !== 'failed') return null;
    return (
      <MissingPart>
        <Button
          variant="default"
          leftSection={<Icon name="retry" />}
          onClick={() => {
            setState('loading');
            void loadPart();
          }}
        >
          Try again
        </Button>
      </MissingPart>
    );
  };
  Later.preload = part.load;
  return Later;
};

/** Loads a part before it is shown, once the page is drawn and nothing else is to be done. */
export const preloadWhenIdle = <Props extends object>({ preload }: LaterPart<Props>): void => {
  // Safari knows no idle moment.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(preload, { timeout: 10_000 });
  else setTimeout(preload, 2000);
};
