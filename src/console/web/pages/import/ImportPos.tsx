import type { PoState } from '../../../../api-contract/basics.ts';
import type { ImportDetail } from '../../../../api-contract/imports.ts';
import type { PurchaseOrdersAnswer } from '../../../../api-contract/purchase-orders.ts';
import { BulkButtons } from '../../actions/BulkButtons.tsx';
import { poLooks } from '../../components/badges.tsx';
import { FilterSelect, Filters } from '../../components/FilterBar.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Empty, ListBody, Panel } from '../../components/page-parts.tsx';
import { formatCount, plain } from '../../data/format.ts';
import { usePage } from '../../data/request.ts';
import { PoTable } from '../purchase-orders/PoTable.tsx';

interface ImportPosProps {
  file: ImportDetail;
  state: string | undefined;
  cursor: string | undefined;
}

/** The POs of a file: held ones with reasons and actions, then all. */
export const ImportPos = ({ file, state, cursor }: ImportPosProps) => {
  const list = usePage<PurchaseOrdersAnswer>('purchase-orders', '/purchase-orders', {
    importId: file.id,
    state,
    cursor,
    limit: 100,
  });
  const { quoted = 0, cancelled = 0, corrected: _, not_needed: __, ...others } = file.states;
  // A completed quote has the state cancelled, and the list filters by state.
  const ended = quoted === 0 ? poLooks.cancelled.word : cancelled === 0 ? 'Quoted' : 'Quoted or cancelled';
  const states: [value: string, word: string][] = [
    ...(Object.entries(others) as [keyof typeof others, number][]).map(([one, count]): [string, string] => [
      one,
      `${poLooks[one].word} (${formatCount(count)})`,
    ]),
    ...(quoted + cancelled > 0
      ? [['cancelled', `${ended} (${formatCount(quoted + cancelled)})`] satisfies [string, string]]
      : []),
  ];
  return (
    <div className="stack">
      {file.heldFor.length > 0 ? (
        <Panel title="Held in this file" flush>
          <ul className="entries">
            {file.heldFor.map(({ reasonCode, meaning, advice, count, actions, place }) => (
              <li key={reasonCode} className="spread padded">
                <div>
                  <p className="medium">
                    {formatCount(count)}: {plain(meaning)}
                  </p>
                  <p className="dim">{plain(advice)}</p>
                </div>
                <BulkButtons
                  offered={actions}
                  place={place}
                  filter={{ importId: file.id, state: ['held'], reason: reasonCode }}
                />
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      {states.length > 1 || state ? (
        <div className="row">
          <Filters search={{ tab: 'orders', state }}>
            <FilterSelect name="state" label="State" all="All states" choices={states} />
          </Filters>
        </div>
      ) : null}
      <Panel flush>
        <ListBody
          list={list}
          empty={
            <Empty icon="orders" title="No purchase orders">
              {state
                ? 'None of this file is in this state now.'
                : 'None were read from this file. Issues says why.'}
            </Empty>
          }
        >
          {({ items, total }) => (
            <PoTable
              items={items}
              total={total}
              withFile={false}
              filter={{ importId: file.id, ...(state ? { state: state.split(',') as PoState[] } : {}) }}
            />
          )}
        </ListBody>
      </Panel>
      {list.data ? <Pager shown={list.data.items.length} next={list.data.next} /> : null}
    </div>
  );
};
