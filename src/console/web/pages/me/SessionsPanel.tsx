import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../api/schemas/access.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { ListBody, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { Time } from '../../components/text.tsx';
import { request, useRead } from '../../data/request.ts';

/** Browsers that are signed in; one that is not yours any more can be signed out. */
export const SessionsPanel = () => {
  const client = useQueryClient();
  const list = useRead<{ items: Session[] }>(['sessions'], '/sessions');
  const end = useMutation({
    mutationFn: (id: string) => request(`/sessions/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Panel title="Sessions" flush>
      {end.error ? <ProblemNote error={end.error} /> : null}
      <ListBody list={list}>
        {({ items }) => (
          <DataTable
            caption="Sessions"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { title: 'User', lead: true, text: ({ user }) => user.name },
              { title: 'Browser', grow: true, text: ({ browser }) => browser },
              { title: 'Address', mono: true, text: ({ address }) => address },
              {
                title: 'Since',
                align: 'right',
                wide: true,
                cell: ({ createdAt }) => <Time at={createdAt} />,
              },
              { title: 'Last used', align: 'right', cell: ({ usedAt }) => <Time at={usedAt} relative /> },
              {
                title: 'End',
                act: true,
                align: 'right',
                cell: ({ id, current, user }) =>
                  current ? (
                    <span className="dim">this one</span>
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`End a session of ${user.name}`}
                      onClick={() => end.mutate(id)}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </ListBody>
    </Panel>
  );
};
