import type { ReactNode } from 'react';
import { RequestFailed } from '../data/request.ts';
import { LoadFailed } from './LoadFailed.tsx';
import { LoadingRows } from './LoadingRows.tsx';
import { PageHead } from './PageHead.tsx';
import { Panel } from './Panel.tsx';

interface NotReadProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
  /** Where the ledger does not have it. */
  gone?: ReactNode;
}

/** In place of a page about one thing: while it is read, or why it could not be. */
export const NotRead = ({ title, query: { error, refetch }, gone }: NotReadProps) => (
  <>
    <PageHead title={title} />
    <Panel>
      {gone && error instanceof RequestFailed && error.status === 404 ? (
        gone
      ) : error ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </Panel>
  </>
);
