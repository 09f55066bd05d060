import { Badge } from './StateBadge.tsx';
import type { Look } from './tones.ts';
import { visibleText } from './UntrustedText.tsx';

/** The looks of the statuses of the interface; the service may have others. */
const looks: Record<string, Omit<Look, 'word'>> = {
  'In O/E': { tone: 'progress', icon: 'clock' },
  Picking: { tone: 'progress', icon: 'clock' },
  Checking: { tone: 'progress', icon: 'search' },
  'B/O': { tone: 'held', icon: 'pause' },
  Shipped: { tone: 'ordered', icon: 'check' },
  Invoiced: { tone: 'closed', icon: 'check' },
};
const unknown: Omit<Look, 'word'> = { tone: 'ended', icon: 'info' };

interface OrderBadgeProps {
  /** As the service names it; null: no status check has shown the order yet. */
  status: string | null;
  meaning: string | null;
}

/** The status of an order; what it means is its tooltip. */
export const OrderBadge = ({ status, meaning }: OrderBadgeProps) => (
  <span title={meaning ?? undefined}>
    <Badge
      look={{
        ...((status !== null && Object.hasOwn(looks, status) && looks[status]) || unknown),
        word: status === null ? 'Not shown yet' : visibleText(status.slice(0, 40)),
      }}
    />
  </span>
);
