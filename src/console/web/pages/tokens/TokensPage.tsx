import { Button, CopyButton, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountScope, NewToken, Role, Token } from '../../../../api-contract/access.ts';
import { AccessFields } from '../../components/AccessFields.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { DialogForm } from '../../components/Form.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { Time } from '../../components/text.tsx';
import { post, request, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Until it is revoked' },
];

/** Creates a token and shows it once. */
const NewTokenDialog = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [access, setAccess] = useState<{ role: Role; accounts: AccountScope }>({
    role: 'viewer',
    accounts: 'all',
  });
  const make = useMutation({
    mutationFn: () => post<NewToken>('/tokens', { name, ...access, days: days ? Number(days) : null }),
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
  if (make.data) {
    const { secret } = make.data;
    return (
      <Dialog onClose={onClose} title="Copy the token now" closeOnClickOutside={false} size={560}>
        <div className="stack">
          <p>It is not shown again. Keep it where your program keeps its secrets.</p>
          <TextInput
            label="Token"
            readOnly
            value={secret}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div className="row">
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button leftSection={<Icon name={copied ? 'check' : 'copy'} />} onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title="New token" size={520}>
      <DialogForm
        run={make}
        confirm="Make the token"
        disabled={access.accounts.length === 0}
        onClose={onClose}
      >
        <TextInput
          label="Name"
          description="Which program uses it."
          required
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <AccessFields {...access} onChange={(change) => setAccess({ ...access, ...change })} />
        <NativeSelect
          label="Valid for"
          data={lives}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
};

/** API tokens of programs. */
const TokensPage = () => {
  const { role } = useMe();
  const openDialog = useDialog();
  const list = useRead<{ items: Token[] }>(['tokens'], '/tokens');
  const add = () => openDialog((close) => <NewTokenDialog onClose={close} />);
  return (
    <ListPage
      title="API tokens"
      lead="For programs and for the command line. A token is shown only once."
      list={list}
      actions={role === 'admin' ? <Button onClick={add}>New token …</Button> : null}
      empty={
        <Empty icon="tokens" title="No tokens">
          Programs cannot use the API yet.
        </Empty>
      }
      table={{
        keyOf: ({ id }) => id,
        columns: [
          { title: 'Name', lead: true, text: ({ name }) => name },
          { title: 'Role', cell: ({ role }) => role },
          {
            title: 'Accounts',
            grow: true,
            text: ({ accounts }) => (accounts === 'all' ? 'all' : accounts.join(', ')),
          },
          { title: 'Made by', wide: true, text: ({ createdBy }) => createdBy },
          { title: 'Last used', ago: ({ usedAt }) => usedAt },
          { title: 'Ends', align: 'right', cell: ({ endsAt }) => <Time at={endsAt} none="never" /> },
          {
            title: 'Revoke',
            act: true,
            align: 'right',
            cell: ({ id, name }) => (
              <AskButton
                word="Revoke"
                size="compact-xs"
                name={`Revoke ${name}`}
                confirm={`Revoke ${name}`}
                isDangerous
                withNote={false}
                act={async () => {
                  await request(`/tokens/${id}`, { method: 'DELETE' });
                  return { sentence: `Revoked ${name}.` };
                }}
              >
                Programs that use this token are refused from now on.
              </AskButton>
            ),
          },
        ],
      }}
    />
  );
};

export default TokensPage;
