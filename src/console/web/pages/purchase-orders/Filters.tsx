import { useQuery } from '@tanstack/react-query';
import type { PoFacets } from '../../../api/schemas/purchase-orders.ts';
import {
  AccountFilter,
  FilterBar,
  FilterSelect,
  FilterText,
  useFilters,
} from '../../components/FilterBar.tsx';
import { poLooks, stateGroups } from '../../components/tones.ts';
import { formatCapped } from '../../data/format.ts';
import { plain } from '../../data/plain.ts';
import { request } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { ages, type PoSearch, sorts } from './po-filter.ts';

/** Groups first, then single states. */
const stateChoices: [string, string][] = [
  ...stateGroups
    .filter(({ states }) => states.length > 1)
    .map(({ states, word }): [string, string] => [states.join(','), word]),
  ...Object.entries(poLooks).map(([state, { word }]): [string, string] => [state, word]),
];

export const Filters = ({ search }: { search: PoSearch }) => {
  const set = useFilters(search);
  const me = useMe();
  const { account, importId } = search;
  const facets = useQuery({
    queryKey: ['purchase-orders', 'facets', account, importId],
    queryFn: ({ signal }) =>
      request<PoFacets>('/purchase-orders/facets', { query: { account, importId }, signal }),
    staleTime: 30_000,
  });
  const reasons = (facets.data?.reasons ?? []).map(({ reasonCode, meaning, count }): [string, string] => [
    reasonCode,
    `${plain(meaning).slice(0, 70)} (${formatCapped(count)})`,
  ]);
  const countOf = new Map(
    facets.data?.states.map(({ state, count }) => [state as string, formatCapped(count)]),
  );
  const choices = stateChoices.map(([value, word]): [string, string] => {
    const count = countOf.get(value);
    return [value, count ? `${word} (${count})` : word];
  });
  return (
    <FilterBar search={search} others={['sort']}>
      <FilterText label="Part of the PO number" value={search.q} onChange={(q) => set({ q })} />
      <AccountFilter value={account} onChange={(value) => set({ account: value })} />
      <FilterSelect
        label="State"
        all="All states"
        value={search.state}
        choices={choices}
        onChange={(state) => set({ state, ...(state === 'held' ? {} : { reason: undefined }) })}
      />
      {search.state === 'held' || search.reason ? (
        <FilterSelect
          label="Why it is held"
          all="All reasons"
          value={search.reason}
          choices={reasons}
          onChange={(reason) => set({ reason })}
        />
      ) : null}
      <FilterSelect
        label="Age"
        all="Any age"
        value={search.age}
        choices={ages}
        onChange={(age) => set({ age })}
      />
      <FilterSelect
        label="Order and file"
        all="Same as the file or not"
        value={search.alarm}
        choices={[
          ['true', 'Differs from the file'],
          ['false', 'Same as the file'],
        ]}
        onChange={(alarm) => set({ alarm })}
      />
      <FilterSelect
        label="Needs a person"
        all="Needed or not"
        value={search.needs}
        choices={[
          ['person', 'Needs a person'],
          ['settling', 'Failed, rejected or differing, and needed'],
          ['nobody', 'Not needed'],
        ]}
        onChange={(needs) => set({ needs })}
      />
      <FilterSelect
        label="Assigned to"
        all="Assigned or not"
        value={search.assignee}
        choices={[[me.name, 'Mine']]}
        onChange={(assignee) => set({ assignee })}
      />
      {search.message ? (
        <FilterSelect
          label="What the service said"
          all="Any message"
          value={search.message}
          choices={[[search.message, search.message.slice(0, 70)]]}
          onChange={(message) => set({ message })}
        />
      ) : null}
      {search.cause ? (
        <FilterSelect
          label="In what the order differs"
          all="Any difference"
          value={search.cause}
          choices={[[search.cause, search.cause.slice(0, 70)]]}
          onChange={(cause) => set({ cause })}
        />
      ) : null}
      <FilterSelect
        label="Sorted"
        all="Newest first"
        value={search.sort}
        choices={sorts}
        onChange={(sort) => set({ sort })}
      />
      {importId ? (
        <FilterSelect
          label="Import"
          all="All imports"
          value={importId}
          choices={[[importId, `Import ${importId}`]]}
          onChange={(value) => set({ importId: value })}
        />
      ) : null}
    </FilterBar>
  );
};
