import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../api/schemas/access.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Time } from '../../components/Time.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { request } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { UserDialog } from './UserDialog.tsx';

type Doing = { kind: 'add' } | { kind: 'change' | 'remove'; user: User };

/** Who may use the console, and what. */
const UsersPage = () => {
  const me = useMe();
  const [doing, setDoing] = useState<Doing>();
  const list = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => request<{ items: User[] }>('/users', { signal }),
  });
  const close = () => setDoing(undefined);
  return (
    <>
      <ListPage
        title="Users"
        lead="Who may use the console, and for which accounts"
        list={list}
        actions={
          me.role === 'admin' ? <Button onClick={() => setDoing({ kind: 'add' })}>Add a user …</Button> : null
        }
        empty={
          <Empty icon="users" title="No users">
            Whoever signs in with OpenID Connect appears here.
          </Empty>
        }
      >
        {({ items }) => (
          <DataTable
            caption="Users"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                lead: true,
                cell: ({ id, name }) => (
                  <>
                    <UntrustedText text={name} />
                    {id === me.id ? <span className="dim">&nbsp;(you)</span> : null}
                  </>
                ),
              },
              { title: 'Role', cell: ({ role }) => role },
              {
                title: 'Accounts',
                grow: true,
                cell: ({ accounts }) =>
                  accounts === 'all' ? 'all' : <UntrustedText text={accounts.join(', ')} />,
              },
              {
                title: 'Signs in with',
                wide: true,
                cell: ({ signsInWith }) => (
                  <span className="no-wrap">{signsInWith === 'openid' ? 'OpenID Connect' : 'password'}</span>
                ),
              },
              {
                title: 'Last sign-in',
                align: 'right',
                cell: ({ signedInAt }) => <Time at={signedInAt} relative none="never" />,
              },
              {
                title: 'Change',
                act: true,
                align: 'right',
                cell: (user) => (
                  <span className="row">
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Change ${user.name}`}
                      onClick={() => setDoing({ kind: 'change', user })}
                    >
                      Change …
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Remove ${user.name}`}
                      onClick={() => setDoing({ kind: 'remove', user })}
                    >
                      Remove …
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </ListPage>
      {doing?.kind === 'remove' ? (
        <NoteDialog
          title={`Remove ${doing.user.name}?`}
          confirm={`Remove ${doing.user.name}`}
          isDangerous
          withNote={false}
          act={async () => {
            await request(`/users/${doing.user.id}`, { method: 'DELETE' });
            return { sentence: `Removed ${doing.user.name}.` };
          }}
          onClose={close}
        >
          All sessions of this user end. What the user did stays under Activity.
        </NoteDialog>
      ) : doing ? (
        <UserDialog user={doing.kind === 'change' ? doing.user : undefined} onClose={close} />
      ) : null}
    </>
  );
};

export default UsersPage;
