import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import type { PoDetail } from '../../../api/schemas/purchase-orders.ts';
import { Corrections } from '../../components/Corrections.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Facts } from '../../components/Facts.tsx';
import { ImportLink } from '../../components/links.tsx';
import { NotRead } from '../../components/NotRead.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PoBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { ZoneOf } from '../../components/ZoneOf.tsx';
import { formatCountOf } from '../../data/format.ts';
import { poName } from '../../data/po-name.ts';
import { useRead } from '../../data/use-read.ts';
import { Banner } from './Banner.tsx';
import { Issues } from './Issues.tsx';
import { Lines } from './Lines.tsx';
import { Options } from './Options.tsx';
import { Orders } from './Orders.tsx';
import { OtherPos } from './OtherPos.tsx';
import { PoTimeline } from './PoTimeline.tsx';
import css from './PurchaseOrderPage.module.css';
import { RawRows } from './RawRows.tsx';

/** Where one PO is, why, and what happens next. */
const PurchaseOrderPage = () => {
  const { id } = useParams({ from: '/purchase-orders/$id' });
  const { row } = useSearch({ from: '/purchase-orders/$id' });
  const visit = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const query = useRead<PoDetail>(['purchase-order', id], `/purchase-orders/${id}`);
  const po = query.data;
  if (!po)
    return (
      <NotRead
        title="Purchase order"
        query={query}
        gone={
          <Empty icon="search" title="This purchase order is not in the ledger">
            It may have been removed together with its import, or belong to an account that you may not see.
            Press / to search for its number.
          </Empty>
        }
      />
    );
  const { account } = po;
  return (
    <>
      <PageHead
        title={poName(po.poNumber)}
        heading={
          <span className={css.title}>
            <UntrustedText
              text={po.poNumber.length > 200 ? `${poName(po.poNumber).slice(0, 200)}…` : poName(po.poNumber)}
            />
            <PoBadge {...po} />
          </span>
        }
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
        <div className={css.grid}>
          <div className="stack">
            <Orders po={po} />
            <RawRows id={po.id} />
          </div>
          <div className="stack">
            <PoTimeline events={po.timeline} account={account} />
            <Panel title="Facts" aside={<ZoneOf account={account} />}>
              <Facts
                facts={[
                  ['Came in', <Time key="c" at={po.createdAt} account={account} />],
                  ['Last changed', <Time key="l" at={po.changedAt} account={account} />],
                  ['Ordered', po.orderedAt ? <Time key="o" at={po.orderedAt} account={account} /> : null],
                  ['Closed', po.closedAt ? <Time key="d" at={po.closedAt} account={account} /> : null],
                  ['Assigned to', po.assignee ? <UntrustedText key="a" text={po.assignee} /> : null],
                  ['Attempt', String(po.epoch + 1)],
                  ['Cart rebuilt', po.rebuilds > 0 ? formatCountOf(po.rebuilds, 'time') : null],
                  ['Cart', po.cartNumber ? <UntrustedText key="n" text={po.cartNumber} mono /> : null],
                  ['Id in the ledger', <UntrustedText key="i" text={po.id} mono />],
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
