import type { PoEvent } from '../../../api/schemas/purchase-orders.ts';
import { Panel } from '../../components/Panel.tsx';
import { Timeline, type TimelineEntry } from '../../components/Timeline.tsx';
import type { Tone } from '../../components/tones.ts';
import { formatDuration } from '../../data/format.ts';

const tones: Record<PoEvent['kind'], Tone> = {
  read: 'ended',
  intent: 'progress',
  status: 'ordered',
  action: 'held',
  state: 'ended',
};

const goodOutcomes = new Set([null, 'done']);

/** Rows read, each step at the service with its outcome, changes of status, and what people did. */
export const PoTimeline = ({ events, account }: { events: readonly PoEvent[]; account: string }) => (
  <Panel title="Timeline">
    <Timeline
      account={account}
      entries={events.map(
        ({ at, kind, what, detail, who, outcome, durationMs, epoch }): TimelineEntry => ({
          at,
          tone: goodOutcomes.has(outcome) ? tones[kind] : 'failed',
          what,
          detail,
          who,
          notes: [
            durationMs === null ? undefined : formatDuration(durationMs),
            epoch ? `attempt ${epoch + 1}` : undefined,
          ],
        }),
      )}
    />
  </Panel>
);
