import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { reloadOnceReachable } from '../components/later.tsx';
import { Empty, LoadFailed } from '../components/page-parts.tsx';

export const NotFound = () => (
  <Empty icon="search" title="There is no such page">
    The address may be mistyped or from another version. Search with <kbd>/</kbd>, or start from{' '}
    <Link to="/">Today</Link>.
  </Empty>
);

/** The page for an error in a page's code. */
export const RouteFailed = ({ error }: ErrorComponentProps) => (
  <LoadFailed error={error} onRetry={reloadOnceReachable} />
);
