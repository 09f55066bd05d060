import type { CorrectionAnswer, CorrectionCheck } from '../../../api/schemas/corrections.ts';
import { Badge, type Look } from '../../components/badges.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCount, plain } from '../../data/format.ts';

type Read = Extract<CorrectionCheck, { kind: 'read' }>;
type Outcome = Read['purchaseOrders'][number]['outcome'];

const looks: Record<Outcome, Look> = {
  ready: { tone: 'ordered', icon: 'check', word: 'Can be ordered' },
  held: { tone: 'held', icon: 'pause', word: 'Would be held' },
  rejected: { tone: 'failed', icon: 'alert', word: 'To be corrected' },
  repeated: { tone: 'failed', icon: 'minus', word: 'Nothing changed yet' },
  conflicting: { tone: 'held', icon: 'pause', word: 'Conflicts' },
};

const shown = 100;
const isDone = (outcome: Outcome) => outcome === 'ready';

/** What each PO needs: those that cannot be ordered yet first. */
export const CorrectionSummary = ({ answer, check }: { answer: CorrectionAnswer; check: Read }) => {
  const reasons = new Map(answer.purchaseOrders.map(({ poNumber, reason }) => [poNumber, reason]));
  const rows = check.purchaseOrders
    .toSorted((one, other) => Number(isDone(one.outcome)) - Number(isDone(other.outcome)))
    .slice(0, shown);
  return (
    <Panel
      title="Purchase orders"
      aside={
        rows.length < check.purchaseOrders.length ? (
          <span className="dim small">the first {formatCount(rows.length)} shown</span>
        ) : null
      }
      flush
    >
      <DataTable
        caption="Purchase orders that are corrected"
        rows={rows}
        keyOf={({ poNumber }) => poNumber}
        columns={[
          { title: 'PO', lead: true, line: ({ poNumber }) => poNumber },
          { title: 'Now', cell: ({ outcome }) => <Badge look={looks[outcome]} /> },
          {
            title: 'Why',
            grow: true,
            cell: ({ poNumber, outcome, reason }) => (
              <UntrustedText
                text={plain((outcome === 'repeated' ? reasons.get(poNumber) : undefined) ?? reason ?? '')}
              />
            ),
          },
          { title: 'Lines', count: ({ lineCount }) => lineCount },
          { title: 'Pieces', count: ({ pieces }) => pieces },
        ]}
      />
    </Panel>
  );
};
