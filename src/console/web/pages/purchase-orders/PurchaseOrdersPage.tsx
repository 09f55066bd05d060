import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { PurchaseOrdersAnswer } from '../../../api/schemas/purchase-orders.ts';
import { Empty } from '../../components/Empty.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListBody } from '../../components/ListBody.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Panel } from '../../components/Panel.tsx';
import { formatCapped } from '../../data/format.ts';
import { apiUrl } from '../../data/request.ts';
import { usePage } from '../../data/use-page.ts';
import { Filters } from './Filters.tsx';
import { PoTable } from './PoTable.tsx';
import { filterOf, listQueryOf } from './po-filter.ts';

/** Every PO by state, reason, account and age. */
const PurchaseOrdersPage = () => {
  const search = useSearch({ from: '/purchase-orders' });
  const query = listQueryOf(search);
  const list = usePage<PurchaseOrdersAnswer>('purchase-orders', '/purchase-orders', query);
  const total = list.data?.total;
  const isFiltered = Object.keys(search).some((name) => !['order', 'cursor'].includes(name));
  return (
    <>
      <PageHead
        title="Purchase orders"
        lead={total ? `${formatCapped(total)} ${isFiltered ? 'match' : 'in the ledger'}` : '\u00a0'}
      >
        <Button
          component="a"
          href={apiUrl('/purchase-orders', { ...query, cursor: undefined, limit: undefined, format: 'csv' })}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          CSV
        </Button>
      </PageHead>
      <div className="stack">
        <Filters search={search} />
        <Panel flush>
          <ListBody
            list={list}
            isEmpty={({ items }) => items.length === 0}
            empty={
              <Empty
                icon="orders"
                title={isFiltered ? 'No purchase order matches' : 'No purchase orders yet'}
              >
                {isFiltered
                  ? 'Remove a filter, or press / to search for order, tracking and invoice numbers.'
                  : 'Put a purchase file into the inbox of an account, or upload one.'}
              </Empty>
            }
          >
            {({ items, total: all }) => <PoTable items={items} filter={filterOf(search)} total={all} />}
          </ListBody>
        </Panel>
        {list.data ? <Pager shown={list.data.items.length} next={list.data.next} /> : null}
      </div>
    </>
  );
};

export default PurchaseOrdersPage;
