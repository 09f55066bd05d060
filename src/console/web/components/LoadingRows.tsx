import { Skeleton } from '@mantine/core';

/** In place of a list that is being read: the same height as its rows. */
export const LoadingRows = ({ rows = 8 }: { rows?: number }) => (
  <div role="status" aria-label="Loading" className="stack-tight">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
      <Skeleton key={index} height={28} width={`${96 - ((index * 7) % 22)}%`} />
    ))}
  </div>
);
