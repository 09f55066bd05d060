import type { PoEvent } from '../../../api/schemas/purchase-orders.ts';
import { Panel } from '../../components/Panel.tsx';
import { Timeline, type TimelineEntry } from '../../components/Timeline.tsx';
import type { Tone } from '../../components/tones.ts';
import { ZoneOf } from '../../components/ZoneOf.tsx';
import { formatDuration } from '../../data/format.ts';

const tones: Record<PoEvent['kind'], Tone> = {
  read: 'ended',
  intent: 'progress',
  status: 'ordered',
  action: 'held',
  state: 'ended',
};

/** Rows read, each step at the service with its outcome, changes of status, and what people did. */
export const PoTimeline = ({ events, account }: { events: readonly PoEvent[]; account: string }) => (
  <Panel title="Timeline" aside={<ZoneOf account={account} />}>
    <Timeline
      account={account}
      entries={events.map(
        ({ at, kind, what, detail, who, failed, durationMs, epoch }): TimelineEntry => ({
          at,
          tone: failed ? 'failed' : tones[kind],
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
