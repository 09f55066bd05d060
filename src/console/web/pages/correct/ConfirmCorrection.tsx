import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  CorrectionAnswer,
  CorrectionCheck,
  CorrectionConfirmed,
} from '../../../../api-contract/corrections.ts';
import { announce } from '../../components/announce.ts';
import { Badge, type Look } from '../../components/badges.tsx';
import { TablePanel } from '../../components/DataTable.tsx';
import { NoteField } from '../../components/NoteDialog.tsx';
import { Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCount, formatCountOf, plain } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import type { Grid } from './grid-rows.ts';
import { requestOf } from './use-check.ts';

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

/** The status of each PO; those that cannot be ordered yet first. */
export const CorrectionSummary = ({ answer, check }: { answer: CorrectionAnswer; check: Read }) => {
  const reasons = new Map(answer.purchaseOrders.map(({ poNumber, reason }) => [poNumber, reason]));
  const rows = check.purchaseOrders
    .toSorted((one, other) => Number(isDone(one.outcome)) - Number(isDone(other.outcome)))
    .slice(0, shown);
  return (
    <TablePanel
      title="Purchase orders"
      note={rows.length < check.purchaseOrders.length ? `the first ${formatCount(rows.length)} shown` : null}
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
  );
};

interface ConfirmCorrectionProps {
  answer: CorrectionAnswer;
  grid: Grid;
  check: CorrectionCheck;
  /** The present rows have been checked. */
  isCurrent: boolean;
  onDone: () => void;
  /** Called after a conflict, to check the rows again. */
  onConflict: () => unknown;
  onStartOver: () => void;
}

/** The effect on the POs, in one sentence. */
const sayWhat = (check: CorrectionCheck): string => {
  if (check.kind === 'refused') return 'Nothing can be ordered yet.';
  const left = check.purchaseOrders.length - check.orderable;
  const stays =
    left === 0
      ? ''
      : ` ${formatCountOf(left, 'purchase order')} ${left === 1 ? 'stays as it is' : 'stay as they are'}.`;
  return check.orderable === 0
    ? `Nothing can be ordered yet.${stays}`
    : `The corrected rows become an import of their own, and the result file of the first one follows.${stays}`;
};

/** Orders the correct POs. The rest stays, to be corrected later. */
export const ConfirmCorrection = (props: ConfirmCorrectionProps) => {
  const { answer, grid, check, isCurrent, onDone, onConflict, onStartOver } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [note, setNote] = useState('');
  const orderable = check.kind === 'read' ? check.orderable : 0;
  const confirm = useMutation({
    mutationFn: () =>
      post<CorrectionConfirmed>(`/imports/${answer.importId}/correction`, {
        ...requestOf(answer, grid),
        expectedPos: orderable,
        note: note.trim() || undefined,
      }),
    onSuccess: async ({ sentence, uploadId, importId }) => {
      announce(sentence);
      onDone();
      await client.invalidateQueries({ queryKey: ['import'] });
      return importId === null
        ? navigate({ to: '/upload/$id', params: { id: uploadId } })
        : navigate({ to: '/imports/$id', params: { id: importId } });
    },
    onError: () => onConflict(),
  });
  const verb = answer.quoteOnly ? 'Ask for prices of' : 'Order';
  return (
    <Panel title="Confirm">
      <p>{sayWhat(check)}</p>
      <NoteField value={note} onChange={setNote} />
      {confirm.error ? <ProblemNote error={confirm.error} /> : null}
      <div className="row">
        <Button
          disabled={orderable === 0 || !isCurrent}
          loading={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          {verb} {formatCountOf(orderable, 'corrected purchase order')}
        </Button>
        <Button variant="default" onClick={onStartOver}>
          Start over
        </Button>
      </div>
    </Panel>
  );
};
