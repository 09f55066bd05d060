import type { AccountDetail } from '../../../api/schemas/accounts.ts';
import { AskButton } from '../../components/AskButton.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Badge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { Look } from '../../components/tones.ts';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { formatCount } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

type Webhook = AccountDetail['webhooks'][number];

const looks: Record<Webhook['state'], Look> = {
  working: { tone: 'ordered', icon: 'check', word: 'Working' },
  failing: { tone: 'held', icon: 'clock', word: 'Tried again' },
  parked: { tone: 'failed', icon: 'stop', word: 'Given up' },
  unusable: { tone: 'failed', icon: 'alert', word: 'Not usable' },
  new: { tone: 'ended', icon: 'clock', word: 'Not started' },
};

/** The programs that are sent the account's changes, and how far each has come. */
export const Webhooks = ({ one: { account, webhooks } }: { one: AccountDetail }) => {
  const mayAct = useMayAct();
  if (webhooks.length === 0) return null;
  return (
    <Panel title="Webhooks" flush>
      <DataTable
        caption="Webhooks"
        rows={webhooks}
        keyOf={({ name }) => name}
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
          {
            title: 'Why',
            grow: true,
            cell: ({ error }) => (error === null ? null : <UntrustedText as="line" text={error} />),
          },
          {
            title: 'Changes that wait',
            align: 'right',
            cell: ({ waiting }) => (waiting > 1000 ? '1,000+' : formatCount(waiting)),
          },
          {
            title: 'Last confirmed',
            align: 'right',
            cell: ({ sentAt }) => <Time at={sentAt} account={account} relative none="never" />,
          },
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
                  What waits is sent now, from where it stands. A change that was confirmed before may be sent
                  once more.
                </AskButton>
              ) : null,
          },
        ]}
      />
    </Panel>
  );
};
