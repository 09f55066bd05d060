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

/** Reloads the page once the server answers; earlier, the browser would replace it with its own error page. */
export const reloadOnceReachable = async (): Promise<void> => {
  const answers = await fetch('/api/v1/me', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (answers) location.reload();
};

/** The code of a part of the page: loaded at most once, and retried after a failure. */
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
 * A page whose code is loaded when it is opened. If that fails, the rest of the app stays, with its banner and a retry button. The router's
 * own function would reload the address, which leaves the app while no server answers.
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

/** A component that is loaded when first shown; renders nothing until then. */
export const lazyComponent = <Props extends object>(load: Load<Props>): LaterPart<Props> => {
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

/** Preloads a part when the page is idle. */
export const preloadWhenIdle = <Props extends object>({ preload }: LaterPart<Props>): void => {
  // Safari lacks requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(preload, { timeout: 10_000 });
  else setTimeout(preload, 2000);
};
