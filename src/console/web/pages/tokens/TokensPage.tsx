import { Button } from '@mantine/core';
import type { Token } from '../../../api/schemas/access.ts';
import { AskButton } from '../../components/AskButton.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { useDialog } from '../../components/Dialog.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { request, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';

/** Tokens with which programs use the API. */
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
    >
      {({ items }) => (
        <DataTable
          caption="API tokens"
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', lead: true, text: ({ name }) => name },
            { title: 'Role', cell: ({ role }) => role },
            {
              title: 'Accounts',
              grow: true,
              cell: ({ accounts }) =>
                accounts === 'all' ? 'all' : <UntrustedText text={accounts.join(', ')} />,
            },
            { title: 'Made by', wide: true, text: ({ createdBy }) => createdBy },
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
              cell: ({ id, name }) => (
                <AskButton
                  word="Revoke"
                  size="compact-xs"
                  name={`Revoke ${name}`}
                  title={`Revoke ${name}?`}
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
          ]}
        />
      )}
    </ListPage>
  );
};

export default TokensPage;
