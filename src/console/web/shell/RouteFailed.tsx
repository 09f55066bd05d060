import type { ErrorComponentProps } from '@tanstack/react-router';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { reloadOnceReachable } from '../components/later.tsx';

/** A page's own program failed. */
export const RouteFailed = ({ error }: ErrorComponentProps) => (
  <LoadFailed error={error} onRetry={reloadOnceReachable} />
);
