import { useQuery } from '@tanstack/react-query';
import type { PurchaseOrdersAnswer } from '../../../api/schemas/purchase-orders.ts';
import { formatSum } from '../../data/format.ts';
import { type Query, request } from '../../data/request.ts';

/** What the purchase orders of a group cost together, once it is added up; nothing where they are too many. */
export const GroupSum = ({ filter }: { filter: Query }) => {
  const { data } = useQuery({
    queryKey: ['purchase-orders', 'sum', filter],
    queryFn: ({ signal }) =>
      request<PurchaseOrdersAnswer>('/purchase-orders', { query: { ...filter, limit: 1 }, signal }),
    staleTime: 30_000,
  });
  const sum = formatSum(data?.sum);
  return sum === '' ? null : <> · {sum}</>;
};
