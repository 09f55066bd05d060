import { Link } from '@tanstack/react-router';
import type { PurchaseOrdersAnswer } from '../../../../api-contract/purchase-orders.ts';
import type { TodayAnswer } from '../../../../api-contract/today.ts';
import { BulkButtons } from '../../actions/BulkButtons.tsx';
import { RereadButton } from '../../actions/RereadButton.tsx';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { PoLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatCapped, formatCountOf, formatSum, plain } from '../../data/format.ts';
import { type Query, useRead } from '../../data/request.ts';
import { Entry } from './Entry.tsx';
import css from './NeedsYou.module.css';
import { AlarmEntry, NotOrderedEntry, RefusedEntry } from './NotOrdered.tsx';
import { QuestionEntry } from './QuestionEntry.tsx';

/** The total cost of a group's POs once loaded; nothing if there are too many. */
const GroupSum = ({ filter }: { filter: Query }) => {
  const { data } = useRead<PurchaseOrdersAnswer>(['purchase-orders', 'sum', filter], '/purchase-orders', {
    query: { ...filter, limit: 1 },
    staleTime: 30_000,
  });
  const sum = formatSum(data?.sum);
  return sum === '' ? null : <> · {sum}</>;
};

interface NeedsYouProps {
  today: TodayAnswer;
  /** Show only what is assigned to this person. */
  assignee: string | undefined;
}

/** Everything that waits for a person, with the action that settles it. */
export const NeedsYou = ({ today, assignee }: NeedsYouProps) => {
  const { unknown, questions, problems, paused, held, refused, notOrdered, alarms, alarmCount } = today;
  const mine = assignee === undefined ? {} : { assignee };
  return (
    <Panel title="Needs you" flush>
      <ul className={`entries ${css.list}`}>
        {unknown.map(({ account, files, since, importId, fileName, reason }) => (
          <Entry
            key={importId}
            tone="held"
            icon="file"
            title={
              <Link to="/imports/$id" params={{ id: importId }}>
                <UntrustedText text={fileName} />
                {files > 1 ? ` and ${formatCountOf(files - 1, 'more file')} with this header wait` : ' waits'}
              </Link>
            }
            meta={
              <>
                {account} · since <Time at={since} account={account} relative /> · nothing in{' '}
                {files > 1 ? 'them' : 'it'} is ordered meanwhile
              </>
            }
            actions={<RereadButton importId={importId} waits />}
          >
            <UntrustedText as="block" text={plain(reason)} />
          </Entry>
        ))}
        {questions.map((question) => (
          <QuestionEntry key={question.id} question={question} />
        ))}
        {problems.map(({ code, account, message }) => (
          <Entry
            key={`${code} ${account} ${message}`}
            tone="failed"
            icon="alert"
            title={<UntrustedText text={message} />}
            meta={account ?? 'All accounts'}
          />
        ))}
        {paused.map(({ account, reason, remedy, canResume, byOperator, since, until }) => (
          <Entry
            key={account}
            tone="failed"
            icon="pause"
            title={
              <Link to="/accounts/$account" params={{ account }}>
                Account {account} is paused
              </Link>
            }
            meta={
              <>
                {since ? (
                  <>
                    Since <Time at={since} account={account} relative />
                  </>
                ) : null}
                {until && !byOperator ? (
                  <>
                    {' · tried again '}
                    <Time at={until} account={account} relative />
                  </>
                ) : (
                  ' · until a person resumes it'
                )}
              </>
            }
            actions={canResume ? <ResumeButton account={account} size="xs" /> : null}
          >
            <UntrustedText as="block" text={reason} />
            <p>{plain(remedy)}</p>
          </Entry>
        ))}
        {held.map((group) => (
          <Entry
            key={`${group.account} ${group.reasonCode}`}
            tone="held"
            icon="pause"
            title={
              <Link
                to="/purchase-orders"
                search={{ state: 'held', reason: group.reasonCode, account: group.account, ...mine }}
              >
                {formatCapped(group.count)} held: {plain(group.meaning)}
              </Link>
            }
            meta={
              <>
                {group.account} · first <PoLink id={group.example.id} name={group.example.poNumber} />, held{' '}
                <Time at={group.oldestAt} account={group.account} relative />
                <GroupSum filter={{ state: 'held', reason: group.reasonCode, account: group.account }} />
              </>
            }
            actions={
              <BulkButtons
                offered={group.actions}
                place={group.place}
                filter={{ state: ['held'], reason: group.reasonCode, account: group.account, ...mine }}
              />
            }
          >
            <p>{plain(group.advice)}</p>
          </Entry>
        ))}
        {refused.map((group) => (
          <RefusedEntry
            key={JSON.stringify([group.account, group.reasonCode ?? group.reasonText])}
            group={group}
          />
        ))}
        {notOrdered.map((group) => (
          <NotOrderedEntry
            key={JSON.stringify([group.account, group.state, group.reasonCode, group.message])}
            group={group}
            mine={mine}
          />
        ))}
        {alarms.map((group) => (
          <AlarmEntry key={JSON.stringify([group.account, group.cause])} group={group} mine={mine} />
        ))}
        {alarmCount.count > alarms.reduce((sum, { count }) => sum + count, 0) ? (
          <li className="padded">
            <Link to="/purchase-orders" search={{ alarm: 'true', ...mine }}>
              All {formatCapped(alarmCount)} that differ from their files
            </Link>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
};
