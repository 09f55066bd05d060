import { Button } from '@mantine/core';
import type { User } from '../../../api/schemas/access.ts';
import { AskButton } from '../../components/AskButton.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { useDialog } from '../../components/Dialog.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { request, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { UserDialog } from './UserDialog.tsx';

/** Who may use the console, and what. */
const UsersPage = () => {
  const me = useMe();
  const openDialog = useDialog();
  const list = useRead<{ items: User[] }>(['users'], '/users');
  const change = (user: User | undefined) =>
    openDialog((close) => <UserDialog user={user} onClose={close} />);
  return (
    <ListPage
      title="Users"
      lead="Who may use the console, and for which accounts"
      list={list}
      actions={me.role === 'admin' ? <Button onClick={() => change(undefined)}>Add a user …</Button> : null}
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
                    onClick={() => change(user)}
                  >
                    Change …
                  </Button>
                  <AskButton
                    word="Remove"
                    size="compact-xs"
                    name={`Remove ${user.name}`}
                    title={`Remove ${user.name}?`}
                    confirm={`Remove ${user.name}`}
                    isDangerous
                    withNote={false}
                    act={async () => {
                      await request(`/users/${user.id}`, { method: 'DELETE' });
                      return { sentence: `Removed ${user.name}.` };
                    }}
                  >
                    All sessions of this user end. What the user did stays under Activity.
                  </AskButton>
                </span>
              ),
            },
          ]}
        />
      )}
    </ListPage>
  );
};

export default UsersPage;
