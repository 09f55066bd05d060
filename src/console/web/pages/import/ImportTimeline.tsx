import { useQuery } from '@tanstack/react-query';
import type { ImportTimeline as Answer } from '../../../api/schemas/imports.ts';
import { ListBody } from '../../components/ListBody.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Timeline } from '../../components/Timeline.tsx';
import { poLooks } from '../../components/tones.ts';
import { formatCountOf } from '../../data/format.ts';
import { request } from '../../data/request.ts';

/** What happened to a file and its POs, and who did it. */
export const ImportTimeline = ({ id, account }: { id: string; account: string }) => {
  const list = useQuery({
    queryKey: ['import', id, 'timeline'],
    queryFn: ({ signal }) => request<Answer>(`/imports/${id}/timeline`, { signal }),
  });
  return (
    <Panel title="Timeline">
      <ListBody list={{ ...list, isPlaceholderData: false }} isEmpty={() => false} empty={null}>
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
