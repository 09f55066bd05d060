import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Token } from '../../../api/schemas/access.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Time } from '../../components/Time.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { request } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';

/** Tokens with which programs use the API. */
const TokensPage = () => {
  const { role } = useMe();
  const [isAdding, setIsAdding] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const list = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => request<{ items: Token[] }>('/tokens', { signal }),
  });
  return (
    <>
      <ListPage
        title="API tokens"
        lead="For programs and for the command line. A token is shown only once."
        list={list}
        actions={role === 'admin' ? <Button onClick={() => setIsAdding(true)}>New token …</Button> : null}
        empty={
          <Empty icon="tokens" title="No tokens">
            Programs cannot use the API yet.
          </Empty>
        }
      >
        {({ items }) => (
          <DataTable
            caption="API tokens"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', lead: true, cell: ({ name }) => <UntrustedText text={name} /> },
              { title: 'Role', cell: ({ role }) => role },
              {
                title: 'Accounts',
                grow: true,
                cell: ({ accounts }) =>
                  accounts === 'all' ? 'all' : <UntrustedText text={accounts.join(', ')} />,
              },
              { title: 'Made by', wide: true, cell: ({ createdBy }) => <UntrustedText text={createdBy} /> },
              {
                title: 'Last used',
                align: 'right',
                cell: ({ usedAt }) => <Time at={usedAt} relative none="never" />,
              },
              { title: 'Ends', align: 'right', cell: ({ endsAt }) => <Time at={endsAt} none="never" /> },
              {
                title: 'Revoke',
                act: true,
                align: 'right',
                cell: (token) => (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() => setRevoking(token)}
                  >
                    Revoke …
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ListPage>
      {isAdding ? <NewTokenDialog onClose={() => setIsAdding(false)} /> : null}
      {revoking ? (
        <NoteDialog
          title={`Revoke ${revoking.name}?`}
          confirm={`Revoke ${revoking.name}`}
          isDangerous
          withNote={false}
          act={async () => {
            await request(`/tokens/${revoking.id}`, { method: 'DELETE' });
            return { sentence: `Revoked ${revoking.name}.` };
          }}
          onClose={() => setRevoking(undefined)}
        >
          Programs that use this token are refused from now on.
        </NoteDialog>
      ) : null}
    </>
  );
};

export default TokensPage;
