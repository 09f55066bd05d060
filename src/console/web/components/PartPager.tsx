import { Button } from '@mantine/core';
import { formatCount } from '../data/format.ts';
import { Icon } from './Icon.tsx';

interface PartPagerProps {
  /** What is paged, for screen readers. */
  label: string;
  from: number;
  size: number;
  total: number;
  onFrom: (from: number) => void;
}

/** Pages through what is in the page already; nothing is read. */
export const PartPager = ({ label, from, size, total, onFrom }: PartPagerProps) => (
  <nav aria-label={`Pages of ${label}`} className="spread part-pager">
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
        Previous
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={from + size >= total}
        rightSection={<Icon name="right" size={12} />}
        onClick={() => onFrom(from + size)}
      >
        Next
      </Button>
    </span>
  </nav>
);
