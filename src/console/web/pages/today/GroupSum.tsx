import type { PurchaseOrdersAnswer } from '../../../api/schemas/purchase-orders.ts';
import { formatSum } from '../../data/format.ts';
import type { Query } from '../../data/request.ts';
import { useRead } from '../../data/use-read.ts';

/** What the purchase orders of a group cost together, once it is added up; nothing where they are too many. */
export const GroupSum = ({ filter }: { filter: Query }) => {
  const { data } = useRead<PurchaseOrdersAnswer>(['purchase-orders', 'sum', filter], '/purchase-orders', {
    query: { ...filter, limit: 1 },
    staleTime: 30_000,
  });
  const sum = formatSum(data?.sum);
  return sum === '' ? null : <> · {sum}</>;
};
