import { Link, useParams } from '@tanstack/react-router';
import type { AccountDetail } from '../../../../api-contract/accounts.ts';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { Badge } from '../../components/badges.tsx';
import { TablePanel } from '../../components/DataTable.tsx';
import { TemplateButtons } from '../../components/Download.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Facts, ListPanel, NotRead, PageHead, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatBounded, formatCount, formatDuration, plain } from '../../data/format.ts';
import { post, useRead } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { accountLooks } from './account-looks.ts';
import { Layouts } from './Layouts.tsx';
import { Schedules, Webhooks } from './SchedulesAndWebhooks.tsx';

/** Pause, resume, upload. */
const AccountActions = ({ one: { account, canPause, canResume } }: { one: AccountDetail }) =>
  useMayAct() ? (
    <div className="row">
      {canResume ? <ResumeButton account={account} /> : null}
      {canPause ? (
        <AskButton
          word="Pause"
          icon="pause"
          confirm={`Pause ${account}`}
          act={(note) => post(`/accounts/${encodeURIComponent(account)}/pause`, { note })}
        >
          Nothing is sent for this account until a person resumes it. Files are still picked up and read.
        </AskButton>
      ) : null}
      <Link to="/upload" search={{ account }}>
        Upload a file
      </Link>
    </div>
  ) : null;

const ms = (value: number | null) => (value === null ? '–' : formatDuration(value));

const Head = ({ one }: { one: AccountDetail }) => (
  <Panel>
    <p className="sentence">
      <UntrustedText text={one.sentence} />
    </p>
    {one.pause ? (
      <p>
        <UntrustedText as="block" text={one.pause.reason} />
        <span className="dim small">
          {one.pause.since ? (
            <>
              since <Time at={one.pause.since} account={one.account} />
            </>
          ) : null}
          {one.pause.until ? (
            <>
              {', tried again '}
              <Time at={one.pause.until} account={one.account} relative />
            </>
          ) : (
            ', until a person resumes it'
          )}
        </span>
        <UntrustedText as="block" text={plain(one.pause.remedy)} />
      </p>
    ) : null}
    {one.troubles.map((trouble) => (
      <ProblemNote key={trouble} error={trouble} />
    ))}
    <StateBar states={one.states} counted="up to 10,000" />
    <AccountActions one={one} />
    {one.state === 'not_configured' ? null : <TemplateButtons account={one.account} />}
  </Panel>
);

const AccountFacts = ({ one }: { one: AccountDetail }) => (
  <Panel title="Facts">
    <Facts
      facts={[
        one.baseUrl ? ['Service', one.baseUrl, 'mono'] : ['Service', 'not configured'],
        ['Folder', one.folder, 'mono'],
        ['Inbox', one.folder ? `${one.folder}/inbox` : null, 'mono'],
        ['Machine', one.folderHost, 'untrusted'],
        ['Time zone', one.timeZone],
        ['Calls at the same time', one.limits.inFlight === null ? null : formatCount(one.limits.inFlight)],
        ['Calls per second', one.limits.callsPerSecond ?? 'no limit'],
        ['Changes are readable after', one.readLagMs === null ? null : formatDuration(one.readLagMs)],
        ['Last status check', <Time key="p" at={one.polledAt} account={one.account} none="never" />],
        ['It failed', one.pollNote, 'block'],
        [
          'Days it does not answer',
          one.unreadDays.map(({ day, why }) => `${day}: ${why}`).join('\n'),
          'block',
        ],
      ]}
    />
  </Panel>
);

/** One account: its health, limits, calls, schedules and column mappings. */
const AccountPage = () => {
  const { account } = useParams({ from: '/accounts/$account' });
  const query = useRead<AccountDetail>(['accounts', account], `/accounts/${encodeURIComponent(account)}`);
  const one = query.data;
  if (!one)
    return (
      <NotRead title="Account" query={query} gone="There is no such account">
        It is in no configuration, or you may not see it.
      </NotRead>
    );
  return (
    <>
      <PageHead
        title={one.account}
        heading={<UntrustedText text={one.account} />}
        badge={<Badge look={accountLooks[one.state]} />}
      />
      <div className="columns">
        <div className="stack">
          <Head one={one} />
          <Schedules one={one} />
          <Webhooks one={one} />
          <ListPanel title="Held" items={one.heldFor}>
            {({ reasonCode, meaning, count }) => (
              <li key={reasonCode}>
                <Link to="/purchase-orders" search={{ account, state: 'held', reason: reasonCode }}>
                  {formatBounded(count)}: {plain(meaning)}
                </Link>
              </li>
            )}
          </ListPanel>
          <ListPanel title="Files that need a person" items={one.fileProblems}>
            {({ fileName, code, message }) => (
              <li key={`${fileName} ${code}`}>
                <strong>
                  <UntrustedText text={fileName} />
                </strong>
                : <UntrustedText text={message} />
              </li>
            )}
          </ListPanel>
          <Layouts account={one.account} />
        </div>
        <div className="stack">
          <AccountFacts one={one} />
          <TablePanel
            title="Calls of the last 24 hours"
            caption="Calls that change something at the service, by step"
            rows={one.calls}
            keyOf={({ step }) => step}
            columns={[
              {
                title: 'Step',
                lead: true,
                cell: ({ step }) => <span className="no-wrap">{step.replaceAll('_', ' ')}</span>,
              },
              { title: 'Calls', count: ({ count }) => count },
              { title: 'Unclear', count: ({ unclear }) => unclear },
              {
                title: 'Took (95 %)',
                align: 'right',
                cell: (row) => `${ms(row.p50Ms)} (${ms(row.p95Ms)})`,
              },
            ]}
          />
          <TablePanel
            title="Orders by status"
            aside={
              <Link to="/statistics" search={{ account }}>
                Statistics
              </Link>
            }
            caption="Orders by the status that the service names"
            rows={one.orderStatuses}
            keyOf={({ status }) => status ?? ''}
            columns={[
              { title: 'Status', lead: true, text: ({ status }) => status ?? 'not shown yet' },
              { title: 'What it means', grow: true, text: ({ meaning }) => meaning },
              { title: 'Orders', align: 'right', cell: ({ count }) => formatBounded(count) },
            ]}
          />
        </div>
      </div>
    </>
  );
};

export default AccountPage;
