import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountScope, Role, User } from '../../../../api-contract/access.ts';
import { AccessFields } from '../../components/AccessFields.tsx';
import { announce } from '../../components/announce.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { DialogForm } from '../../components/Form.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { post, request, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';

interface UserDialogProps {
  /** The user to change; undefined: a new one. */
  user: User | undefined;
  onClose: () => void;
}

/** Adds a user, or changes role, accounts and password of one. */
const UserDialog = ({ user, onClose }: UserDialogProps) => {
  const client = useQueryClient();
  const [name, setName] = useState(user?.name ?? '');
  const [password, setPassword] = useState('');
  const [access, setAccess] = useState<{ role: Role; accounts: AccountScope }>({
    role: user?.role ?? 'operator',
    accounts: user?.accounts ?? 'all',
  });
  const save = useMutation({
    mutationFn: () =>
      user
        ? request(`/users/${user.id}`, {
            method: 'PATCH',
            body: { ...access, password: password || undefined },
          })
        : post('/users', { name, password, ...access }),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
    onSuccess: () => {
      announce(user ? `Changed ${user.name}.` : `Added ${name}.`);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={user ? `Change ${user.name}` : 'Add a user'} size={520}>
      <DialogForm
        run={save}
        confirm={user ? 'Save' : 'Add the user'}
        disabled={access.accounts.length === 0}
        onClose={onClose}
      >
        {user ? null : (
          <TextInput
            label="User name"
            required
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <AccessFields {...access} onChange={(change) => setAccess({ ...access, ...change })} />
        {user?.signsInWith === 'openid' ? null : (
          <PasswordInput
            label={user ? 'New password' : 'Password'}
            description={
              user
                ? 'Leave it empty to keep the present one. A new one ends all sessions of the user.'
                : 'At least 12 characters. The user can change it after signing in.'
            }
            required={!user}
            minLength={12}
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
};

/** The users of the console and their rights. */
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
        <Empty icon="person" title="No users">
          People who sign in with OpenID Connect appear here.
        </Empty>
      }
      table={{
        keyOf: ({ id }) => id,
        columns: [
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
            text: ({ accounts }) => (accounts === 'all' ? 'all' : accounts.join(', ')),
          },
          {
            title: 'Signs in with',
            wide: true,
            cell: ({ signsInWith }) => (
              <span className="no-wrap">{signsInWith === 'openid' ? 'OpenID Connect' : 'password'}</span>
            ),
          },
          { title: 'Last sign-in', ago: ({ signedInAt }) => signedInAt },
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
        ],
      }}
    />
  );
};

export default UsersPage;
