import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountScope, Role, User } from '../../../api/schemas/access.ts';
import { AccessFields } from '../../components/AccessFields.tsx';
import { announce } from '../../components/announce.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { DialogForm } from '../../components/Form.tsx';
import { post, request } from '../../data/request.ts';

interface UserDialogProps {
  /** The user to change; undefined: a new one. */
  user: User | undefined;
  onClose: () => void;
}

/** Adds a user, or changes role, accounts and password of one. */
export const UserDialog = ({ user, onClose }: UserDialogProps) => {
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
