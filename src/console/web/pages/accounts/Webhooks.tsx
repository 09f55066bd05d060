import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountActionAnswer, AccountDetail } from '../../../api/schemas/accounts.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Badge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { Look } from '../../components/tones.ts';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { formatCount } from '../../data/format.ts';
import { request } from '../../data/request.ts';
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
  const [chosen, setChosen] = useState<Webhook>();
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
          ...(mayAct
            ? [
                {
                  title: 'Send again',
                  act: true,
                  align: 'right' as const,
                  cell: (webhook: Webhook) =>
                    webhook.state === 'failing' || webhook.state === 'parked' ? (
                      <Button size="compact-xs" variant="default" onClick={() => setChosen(webhook)}>
                        Send again …
                      </Button>
                    ) : null,
                },
              ]
            : []),
        ]}
      />
      {chosen ? (
        <NoteDialog
          title={`Send changes to ${chosen.name} again?`}
          confirm="Send again"
          act={(note) =>
            request<AccountActionAnswer>(
              `/accounts/${encodeURIComponent(account)}/webhooks/${chosen.name}/resume`,
              { method: 'POST', body: note ? { note } : {} },
            )
          }
          onClose={() => setChosen(undefined)}
        >
          What waits is sent now, from where it stands. A change that was confirmed before may be sent once
          more.
        </NoteDialog>
      ) : null}
    </Panel>
  );
};
