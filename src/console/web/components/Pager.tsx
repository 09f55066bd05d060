import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { Icon } from './Icon.tsx';

interface PagerProps {
  /** Entries on this page. */
  shown: number;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** Links to the next and the first page; the browser's back button goes to the previous one. */
export const Pager = ({ shown, next }: PagerProps) => {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (cursor: string | undefined) =>
    navigate({ to: '.', search: { ...search, cursor } as never, resetScroll: true });
  const isFirst = search.cursor === undefined;
  if (isFirst && !next) return null;
  return (
    <nav aria-label="Pages of the list" className="spread">
      <span className="dim small">{formatCount(shown)} on this page</span>
      <span className="row">
        {isFirst ? null : (
          <Button variant="default" onClick={() => go(undefined)}>
            First page
          </Button>
        )}
        {next ? (
          <Button variant="default" rightSection={<Icon name="right" />} onClick={() => go(next)}>
            Next page
          </Button>
        ) : null}
      </span>
    </nav>
  );
};

interface PartPagerProps {
  /** Accessible name of the paged list. */
  label: string;
  from: number;
  size: number;
  total: number;
  words?: [before: string, after: string];
  onFrom: (from: number) => void;
}

/** Pages through entries that are already loaded. */
export const PartPager = ({
  label,
  from,
  size,
  total,
  words = ['Previous', 'Next'],
  onFrom,
}: PartPagerProps) => (
  <nav aria-label={`Pages of ${label}`} className="spread padded">
    <span className="dim small" role="status">
      {formatCount(from + 1)} to {formatCount(Math.min(total, from + size))} of {formatCount(total)}
    </span>
    <span className="row">
      <Button
        size="xs"
        variant="default"
        disabled={from === 0}
        leftSection={<Icon name="left" size={12} />}
        onClick={() => onFrom(from - size)}
      >
        {words[0]}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={from + size >= total}
        rightSection={<Icon name="right" size={12} />}
        onClick={() => onFrom(from + size)}
      >
        {words[1]}
      </Button>
    </span>
  </nav>
);
