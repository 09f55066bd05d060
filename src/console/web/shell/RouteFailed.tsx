import type { ErrorComponentProps } from '@tanstack/react-router';
import { LoadFailed } from '../components/LoadFailed.tsx';

/** A page's own program failed, or could not be loaded after an update of Cartwright. */
export const RouteFailed = ({ error }: ErrorComponentProps) => {
  const isStale = error instanceof Error && /dynamically imported module|module script/i.test(error.message);
  const shown = isStale
    ? new Error(
        'Cartwright was updated while this page was open, or it is being restarted. Load the page again.',
      )
    : error;
  return <LoadFailed error={shown} onRetry={() => location.reload()} />;
};
