import css from './LoadingRows.module.css';

/** In place of a list that is being read: the same height as its rows. */
export const LoadingRows = ({ rows = 8 }: { rows?: number }) => (
  <div role="status" aria-label="Loading" className={css.rows}>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
      <span key={index} className={css.row} />
    ))}
  </div>
);
