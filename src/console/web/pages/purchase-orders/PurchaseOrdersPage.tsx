import { useSearch } from '@tanstack/react-router';
import type { PurchaseOrdersAnswer } from '../../../api/schemas/purchase-orders.ts';
import { isFiltered, useSorting } from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { formatCapped, formatSum } from '../../data/format.ts';
import { apiUrl, usePage } from '../../data/request.ts';
import { Filters } from './Filters.tsx';
import { PoTable } from './PoTable.tsx';
import { filterOf, listQueryOf } from './po-filter.ts';

/** Every PO by state, reason, account and age. */
const PurchaseOrdersPage = () => {
  const search = useSearch({ from: '/purchase-orders' });
  const sorting = useSorting(search, 'received');
  const query = listQueryOf(search);
  const list = usePage<PurchaseOrdersAnswer>('purchase-orders', '/purchase-orders', query);
  const total = list.data?.total;
  const isPart = isFiltered(search);
  return (
    <ListPage
      title="Purchase orders"
      lead={
        total
          ? [`${formatCapped(total)} ${isPart ? 'match' : 'in the ledger'}`, formatSum(list.data?.sum)]
              .filter((part) => part !== '')
              .join(', ')
          : '\u00a0'
      }
      list={list}
      views={{ page: 'purchase-orders', search }}
      csv={apiUrl('/purchase-orders', { ...query, cursor: undefined, limit: undefined, format: 'csv' })}
      filters={<Filters search={search} />}
      empty={
        <Empty icon="orders" title={isPart ? 'No purchase order matches' : 'No purchase orders yet'}>
          {isPart
            ? 'Remove a filter, or press / to search for order, tracking and invoice numbers.'
            : 'Put a purchase file into the inbox of an account, or upload one.'}
        </Empty>
      }
    >
      {({ items, total: all }) => (
        <PoTable items={items} filter={filterOf(search)} total={all} sorting={sorting} />
      )}
    </ListPage>
  );
};

export default PurchaseOrdersPage;
