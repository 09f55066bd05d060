import type { PoDetail } from '../../api-contract/purchase-orders.ts';
import type { SearchAnswer } from '../../api-contract/search.ts';
import type { RemoteConsole } from './call-console.ts';

/** The POs of a running console with this number. Exact matches come first, so longer numbers cannot hide them. */
export const findPurchaseOrders = async (
  remote: RemoteConsole,
  poNumber: string,
  account: string | undefined,
): Promise<PoDetail[]> => {
  const { groups } = await remote.get<SearchAnswer>('/search', { q: poNumber, limit: '50' });
  const hits = groups.find(({ kind }) => kind === 'po')?.hits ?? [];
  const ids = hits
    .filter((hit) => hit.matched === poNumber && (account === undefined || hit.account === account))
    .map(({ purchaseOrder }) => purchaseOrder!.id);
  return Promise.all(ids.map((id) => remote.get<PoDetail>(`/purchase-orders/${id}`)));
};
