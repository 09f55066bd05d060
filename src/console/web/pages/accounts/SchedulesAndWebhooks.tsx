import type { AccountDetail } from '../../../../api-contract/accounts.ts';
import { Badge, type Look } from '../../components/badges.tsx';
import { TablePanel } from '../../components/DataTable.tsx';
import { LastRun } from '../../components/LastRun.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatCount } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { scheduleTasks } from '../../data/schedule-tasks.ts';
import { useMayAct } from '../../data/session.ts';

/** Last and next runs of the account's schedules, with buttons to run one now. */
export const Schedules = ({ one: { account, schedules } }: { one: AccountDetail }) => {
  const mayAct = useMayAct();
  return (
    <TablePanel
      title="Schedules"
      caption="Schedules"
      rows={schedules}
      keyOf={(schedule) => schedule.kind}
      columns={[
        { title: 'What', lead: true, cell: (schedule) => scheduleTasks[schedule.kind] },
        { title: 'When', text: ({ timing }) => timing },
        { title: 'Last', cell: (schedule) => <LastRun account={account} run={schedule} /> },
        { title: 'Next', cell: ({ nextAt }) => <Time at={nextAt} account={account} relative /> },
        {
          title: 'Run now',
          when: mayAct,
          act: true,
          align: 'right',
          cell: ({ kind }) => (
            <AskButton
              word="Run now"
              size="compact-xs"
              confirm={`${scheduleTasks[kind]} now`}
              act={(note) => post(`/accounts/${encodeURIComponent(account)}/run`, { kind, note })}
            >
              It runs as soon as a worker is free. The schedule stays as it is.
            </AskButton>
          ),
        },
      ]}
    />
  );
};

type Webhook = AccountDetail['webhooks'][number];

const looks: Record<Webhook['state'], Look> = {
  working: { tone: 'ordered', icon: 'check', word: 'Working' },
  failing: { tone: 'held', icon: 'clock', word: 'Tried again' },
  parked: { tone: 'failed', icon: 'stop', word: 'Given up' },
  unusable: { tone: 'failed', icon: 'alert', word: 'Not usable' },
  new: { tone: 'ended', icon: 'clock', word: 'Not started' },
};

/** The account's webhooks and their delivery states. */
export const Webhooks = ({ one: { account, webhooks } }: { one: AccountDetail }) => {
  const mayAct = useMayAct();
  if (webhooks.length === 0) return null;
  return (
    <TablePanel
      title="Webhooks"
      caption="Webhooks"
      rows={webhooks}
      keyOf={({ name }) => name}
      times={{ account }}
      columns={[
        {
          title: 'Webhook',
          lead: true,
          cell: ({ name, host }) => (
            <>
              {name} <span className="dim">at {<UntrustedText text={host} most={60} />}</span>
            </>
          ),
        },
        { title: 'State', cell: ({ state }) => <Badge look={looks[state]} /> },
        { title: 'Why', grow: true, line: ({ error }) => error },
        {
          title: 'Changes that wait',
          align: 'right',
          cell: ({ waiting }) => (waiting > 1000 ? '1,000+' : formatCount(waiting)),
        },
        { title: 'Last confirmed', ago: ({ sentAt }) => sentAt },
        {
          title: 'Send again',
          when: mayAct,
          act: true,
          align: 'right',
          cell: ({ name, state }) =>
            state === 'failing' || state === 'parked' ? (
              <AskButton
                word="Send again"
                size="compact-xs"
                title={`Send changes to ${name} again?`}
                confirm="Send again"
                act={(note) =>
                  post(`/accounts/${encodeURIComponent(account)}/webhooks/${name}/resume`, { note })
                }
              >
                Waiting changes are sent now, beginning with the first that was not confirmed. A change that
                was confirmed before may be sent once more.
              </AskButton>
            ) : null,
        },
      ]}
    />
  );
};
