import { Link } from '@tanstack/react-router';
import type { TodayAnswer } from '../../../api/schemas/today.ts';
import { BulkButtons } from '../../actions/BulkButtons.tsx';
import { RereadButton } from '../../actions/RereadButton.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCapped, formatCountOf } from '../../data/format.ts';
import { plain } from '../../data/plain.ts';
import { poName } from '../../data/po-name.ts';
import { Entry } from './Entry.tsx';
import css from './NeedsYou.module.css';
import { QuestionEntry } from './QuestionEntry.tsx';

const endings = {
  failed: {
    meaning: 'The service refuses them.',
    advice: 'Correct their rows and send the file again, or retry them if the service accepts them now.',
  },
  rejected: {
    meaning: 'A row is wrong, and nothing was sent.',
    advice: 'Correct their rows and send the file again.',
  },
} as const;

/** Older ones are not listed, so that the action concerns none of them. */
const weekBefore = (asOf: string): string => new Date(Date.parse(asOf) - 7 * 24 * 3_600_000).toISOString();

/** Everything that waits for a person, with the action that settles it. */
export const NeedsYou = ({ today }: { today: TodayAnswer }) => {
  const { asOf, unknown, questions, problems, paused, held, refused, notOrdered, alarms, alarmCount } = today;
  return (
    <Panel title="Needs you" flush>
      <ul>
        {unknown.map(({ account, files, since, importId, fileName, reason }) => (
          <Entry
            key={importId}
            tone="held"
            icon="file"
            title={
              <Link to="/imports/$id" params={{ id: importId }}>
                <Foreign text={fileName} />
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
            <Foreign as="block" text={plain(reason)} />
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
            title={<Foreign text={message} />}
            meta={account ?? 'All accounts'}
          />
        ))}
        {paused.map(({ account, reason, byOperator, since, until }) => (
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
          >
            <Foreign as="block" text={reason} />
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
                search={{ state: 'held', reason: group.reasonCode, account: group.account }}
              >
                {formatCapped(group.count)} held: {plain(group.meaning)}
              </Link>
            }
            meta={
              <>
                {group.account} · first{' '}
                <Link to="/purchase-orders/$id" params={{ id: group.example.id }}>
                  <Foreign text={group.example.poNumber} />
                </Link>
                , held <Time at={group.oldestAt} account={group.account} relative />
              </>
            }
            actions={
              <BulkButtons
                offered={group.actions}
                filter={{ state: ['held'], reason: group.reasonCode, account: group.account }}
              />
            }
          >
            <p>{plain(group.advice)}</p>
          </Entry>
        ))}
        {refused.map(({ id, account, fileName, reasonText, takenAt }) => (
          <Entry
            key={id}
            tone="failed"
            icon="file"
            title={
              <Link to="/imports/$id" params={{ id }}>
                Refused: <Foreign text={fileName} />
              </Link>
            }
            meta={
              <>
                {account} · <Time at={takenAt} account={account} relative />
              </>
            }
            actions={<RereadButton importId={id} />}
          >
            {reasonText ? <Foreign as="block" text={plain(reasonText)} /> : null}
          </Entry>
        ))}
        {notOrdered.map(({ account, state, count, latestAt, example, actions }) => (
          <Entry
            key={`${account} ${state}`}
            tone="failed"
            icon="cross"
            title={
              <Link to="/purchase-orders" search={{ state, account }}>
                {formatCapped(count)} {state}: {endings[state].meaning}
              </Link>
            }
            meta={
              <>
                {account} · last{' '}
                <Link to="/purchase-orders/$id" params={{ id: example.id }}>
                  <Foreign text={example.poNumber} />
                </Link>
                , <Time at={latestAt} account={account} relative />
              </>
            }
            actions={
              <BulkButtons
                offered={actions}
                filter={{ state: [state], account, changedAfter: weekBefore(asOf) }}
              />
            }
          >
            <p>{endings[state].advice}</p>
          </Entry>
        ))}
        {alarms.map(({ id, account, poNumber, alarm, changedAt }) => (
          <Entry
            key={id}
            tone="held"
            icon="alert"
            title={
              <Link to="/purchase-orders/$id" params={{ id }}>
                <Foreign text={poName(poNumber)} /> differs from its file
              </Link>
            }
            meta={
              <>
                {account} · <Time at={changedAt} account={account} relative />
              </>
            }
          >
            <Foreign as="block" text={alarm} />
          </Entry>
        ))}
        {alarmCount.count > alarms.length ? (
          <li className={css.more}>
            <Link to="/purchase-orders" search={{ alarm: 'true' }}>
              All {formatCapped(alarmCount)} that differ from their files
            </Link>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
};
