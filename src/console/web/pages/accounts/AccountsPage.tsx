import type { AccountsAnswer } from '../../../../api-contract/accounts.ts';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { Badge } from '../../components/badges.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { AccountLink, UntrustedText } from '../../components/text.tsx';
import { plain } from '../../data/format.ts';
import { useRead } from '../../data/request.ts';
import { useTimeColumn } from '../../data/zones.tsx';
import { accountLooks } from './account-looks.ts';

/** Every account with its health and counts. */
const AccountsPage = () => {
  const polled = useTimeColumn('Last status check');
  const list = useRead<AccountsAnswer>(['accounts'], '/accounts');
  return (
    <ListPage
      title="Accounts"
      lead="Each login at a dealer order service"
      list={list}
      empty={
        <Empty icon="accounts" title="No accounts">
          Add one to the configuration file, then restart Cartwright.
        </Empty>
      }
      table={{
        keyOf: ({ account }) => account,
        times: polled,
        columns: [
          {
            title: 'Account',
            lead: true,
            cell: ({ account }) => <AccountLink account={account} as="line" />,
          },
          { title: 'State', cell: ({ state }) => <Badge look={accountLooks[state]} /> },
          {
            title: 'In a sentence',
            grow: true,
            cell: ({ account, sentence, pause, canResume }) => (
              <>
                <UntrustedText text={sentence} />
                {pause ? <p className="dim">{plain(pause.remedy)}</p> : null}
                {pause && canResume ? <ResumeButton account={account} size="xs" /> : null}
              </>
            ),
          },
          {
            title: 'Purchase orders',
            cell: ({ states }) => <StateBar states={states} counted="up to 10,000" />,
          },
          { title: 'Unread files', wide: true, count: ({ unread }) => unread },
          { title: polled.title, ago: ({ polledAt }) => polledAt },
        ],
      }}
    />
  );
};

export default AccountsPage;
