import type { ReactNode } from 'react';
import css from './ListBody.module.css';
import { LoadFailed } from './LoadFailed.tsx';
import { LoadingRows } from './LoadingRows.tsx';

interface ListBodyProps<Answer> {
  list: { data: Answer | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  /** In place of a list without entries. */
  empty?: ReactNode;
  isEmpty?: (answer: Answer) => boolean;
  children: (answer: Answer) => ReactNode;
}

/** What a list shows while it is read, after it could not be read, without entries, and with them. */
export const ListBody = <Answer,>({
  list,
  empty,
  isEmpty = () => false,
  children,
}: ListBodyProps<Answer>) => {
  if (list.data === undefined) {
    return list.error ? (
      <LoadFailed error={list.error} onRetry={list.refetch} />
    ) : (
      <div className={css.loading}>
        <LoadingRows />
      </div>
    );
  }
  if (isEmpty(list.data)) return empty;
  return (
    <div className={list.isPlaceholderData ? css.outdated : undefined} aria-busy={list.isPlaceholderData}>
      {children(list.data)}
    </div>
  );
};
