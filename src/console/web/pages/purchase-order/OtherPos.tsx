import type { PoDetail } from '../../../api/schemas/purchase-orders.ts';
import { PoLink } from '../../components/links.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PoBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';

/** Other POs with the same number in the account. */
export const OtherPos = ({ others, account }: { others: PoDetail['others']; account: string }) => {
  if (others.length === 0) return null;
  return (
    <Panel title="Others with this number">
      <ul className="stack-tight">
        {others.map(({ id, fileName, createdAt, ...po }) => (
          <li key={id} className="row">
            <PoBadge {...po} />
            <PoLink id={id} name={fileName} />
            <span className="dim small">
              <Time at={createdAt} account={account} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
