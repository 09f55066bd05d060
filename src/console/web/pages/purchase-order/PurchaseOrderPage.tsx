import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import { poName } from '../../../../api-contract/po-words.ts';
import type { PoDetail, PoEvent } from '../../../../api-contract/purchase-orders.ts';
import { PoBadge, type Tone } from '../../components/badges.tsx';
import { Corrections } from '../../components/Corrections.tsx';
import { Facts, ListPanel, NotRead, PageHead, Panel } from '../../components/page-parts.tsx';
import { Timeline, type TimelineEntry } from '../../components/Timeline.tsx';
import { ImportLink, PoLink, Time, UntrustedText, ZoneOf } from '../../components/text.tsx';
import { formatCountOf, formatDuration, nameOfField } from '../../data/format.ts';
import { useRead } from '../../data/request.ts';
import { Banner } from './Banner.tsx';
import { Issues } from './Issues.tsx';
import { Lines } from './Lines.tsx';
import { Orders } from './Orders.tsx';
import { RawRows } from './RawRows.tsx';

/** Order-level options of the file, such as the shipping address. */
const Options = ({ options }: { options: Record<string, unknown> }) => {
  const entries = Object.entries(options);
  if (entries.length === 0) return null;
  return (
    <Panel title="Order options">
      <Facts
        facts={entries.map(([name, value]) => [
          nameOfField(name),
          typeof value === 'string' ? value : JSON.stringify(value),
          'block',
        ])}
      />
    </Panel>
  );
};

/** Other POs with the same number in the account. */
const OtherPos = ({ others, account }: { others: PoDetail['others']; account: string }) => (
  <ListPanel title="Others with this number" items={others}>
    {({ id, fileName, createdAt, ...po }) => (
      <li key={id} className="row">
        <PoBadge {...po} />
        <PoLink id={id} name={fileName} />
        <span className="dim small">
          <Time at={createdAt} account={account} />
        </span>
      </li>
    )}
  </ListPanel>
);

const tones: Record<PoEvent['kind'], Tone> = {
  read: 'ended',
  intent: 'progress',
  status: 'ordered',
  action: 'held',
  state: 'ended',
};

/** The timeline: rows read, steps at the service with their outcomes, status changes, and operator actions. */
const PoTimeline = ({ events, account }: { events: readonly PoEvent[]; account: string }) => (
  <Panel title="Timeline" note={<ZoneOf account={account} />}>
    <Timeline
      account={account}
      entries={events.map(
        ({ at, kind, what, detail, who, failed, durationMs, epoch }): TimelineEntry => ({
          at,
          tone: failed ? 'failed' : tones[kind],
          what,
          detail,
          who,
          notes: [
            durationMs === null ? undefined : formatDuration(durationMs),
            epoch ? `attempt ${epoch + 1}` : undefined,
          ],
        }),
      )}
    />
  </Panel>
);

/** One PO: its state, the reason, and what happens next. */
const PurchaseOrderPage = () => {
  const { id } = useParams({ from: '/purchase-orders/$id' });
  const { row } = useSearch({ from: '/purchase-orders/$id' });
  const visit = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const query = useRead<PoDetail>(['purchase-order', id], `/purchase-orders/${id}`);
  const po = query.data;
  if (!po)
    return (
      <NotRead title="Purchase order" query={query} gone="This purchase order is not in the ledger">
        It may have been removed together with its import, or belong to an account that you may not see. Press
        / to search for its number.
      </NotRead>
    );
  const { account } = po;
  return (
    <>
      <PageHead
        title={poName(po.poNumber)}
        heading={<UntrustedText text={poName(po.poNumber)} most={200} />}
        badge={<PoBadge {...po} />}
        lead={
          <>
            <UntrustedText text={account} /> · {formatCountOf(po.lineCount, 'line')} from row {po.firstRow} of{' '}
            <ImportLink id={po.importId} name={po.fileName} />
          </>
        }
      />
      <div className="stack">
        <Banner po={po} />
        {po.issues.length > 0 ? <Issues po={po} /> : null}
        <Corrections path={`/purchase-orders/${id}/corrections`} account={account} of={po.importId} />
        <Lines po={po} row={row} visit={visit} />
        <div className="columns">
          <div className="stack">
            <Orders po={po} />
            <RawRows id={po.id} />
          </div>
          <div className="stack">
            <PoTimeline events={po.timeline} account={account} />
            <Panel title="Facts" note={<ZoneOf account={account} />}>
              <Facts
                facts={[
                  ['Came in', <Time key="c" at={po.createdAt} account={account} />],
                  ['Last changed', <Time key="l" at={po.changedAt} account={account} />],
                  ['Ordered', po.orderedAt ? <Time key="o" at={po.orderedAt} account={account} /> : null],
                  ['Closed', po.closedAt ? <Time key="d" at={po.closedAt} account={account} /> : null],
                  ['Assigned to', po.assignee, 'untrusted'],
                  ['Attempt', String(po.epoch + 1)],
                  ['Cart rebuilt', po.rebuilds > 0 ? formatCountOf(po.rebuilds, 'time') : null],
                  ['Cart', po.cartNumber, 'mono'],
                  ['Id in the ledger', po.id, 'mono'],
                ]}
              />
            </Panel>
            <Options options={po.options} />
            <OtherPos others={po.others} account={account} />
          </div>
        </div>
      </div>
    </>
  );
};

export default PurchaseOrderPage;
