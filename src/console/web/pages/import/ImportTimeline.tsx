import type { ImportTimeline as Answer } from '../../../api/schemas/imports.ts';
import { ListBody } from '../../components/ListBody.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Timeline } from '../../components/Timeline.tsx';
import { poLooks } from '../../components/tones.ts';
import { formatCountOf } from '../../data/format.ts';
import { useRead } from '../../data/use-read.ts';

/** What happened to a file and its POs, and who did it. */
export const ImportTimeline = ({ id, account }: { id: string; account: string }) => {
  const list = useRead<Answer>(['import', id, 'timeline'], `/imports/${id}/timeline`);
  return (
    <Panel title="Timeline">
      <ListBody list={list}>
        {({ events }) => (
          <Timeline
            account={account}
            entries={events.map(({ at, what, detail, who, count, state }) => ({
              at,
              tone: state ? poLooks[state].tone : who ? 'held' : 'ended',
              what,
              detail,
              who,
              notes: [count === null ? undefined : formatCountOf(count, 'purchase order')],
            }))}
          />
        )}
      </ListBody>
    </Panel>
  );
};
