import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccountsAnswer } from '../../../api/schemas/accounts.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { ListBody } from '../../components/ListBody.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Badge } from '../../components/StateBadge.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCount } from '../../data/format.ts';
import { request } from '../../data/request.ts';
import { accountLooks } from './account-looks.ts';

/** Every account: whether it works, and what it has. */
const AccountsPage = () => {
  const list = useQuery({
    queryKey: ['accounts'],
    queryFn: ({ signal }) => request<AccountsAnswer>('/accounts', { signal }),
  });
  return (
    <>
      <PageHead title="Accounts" lead="Each login at a dealer order service" />
      <Panel flush>
        <ListBody
          list={{ ...list, isPlaceholderData: false }}
          isEmpty={({ items }) => items.length === 0}
          empty={
            <Empty icon="accounts" title="No accounts">
              Add one to the configuration file, then restart Cartwright.
            </Empty>
          }
        >
          {({ items }) => (
            <DataTable
              caption="Accounts"
              rows={items}
              keyOf={({ account }) => account}
              columns={[
                {
                  title: 'Account',
                  lead: true,
                  cell: ({ account }) => (
                    <Link to="/accounts/$account" params={{ account }}>
                      <Foreign as="line" text={account} />
                    </Link>
                  ),
                },
                { title: 'State', cell: ({ state }) => <Badge look={accountLooks[state]} /> },
                { title: 'In a sentence', grow: true, cell: ({ sentence }) => <Foreign text={sentence} /> },
                { title: 'Purchase orders', cell: ({ states }) => <StateBar states={states} /> },
                {
                  title: 'Unread files',
                  align: 'right',
                  wide: true,
                  cell: ({ unread }) => formatCount(unread),
                },
                {
                  title: 'Last status check',
                  align: 'right',
                  cell: ({ polledAt, account }) => (
                    <Time at={polledAt} account={account} relative none="never" />
                  ),
                },
              ]}
            />
          )}
        </ListBody>
      </Panel>
    </>
  );
};

export default AccountsPage;
