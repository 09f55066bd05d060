import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PoAction } from '../../../api/schemas/basics.ts';
import type { ImportDetail } from '../../../api/schemas/imports.ts';
import type { UploadAnswer } from '../../../api/schemas/uploads.ts';
import { actionWords } from '../../actions/action-words.ts';
import BulkDialog from '../../actions/BulkDialog.tsx';
import { announce } from '../../components/announce.ts';
import { useDialog } from '../../components/DialogHost.tsx';
import { ProblemNote } from '../../components/ProblemNote.tsx';
import { formatCapped } from '../../data/format.ts';
import { request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { NoOrderDialog } from './NoOrderDialog.tsx';

type Action = ImportDetail['actions'][number];

const isPoAction = (action: Action['action']): action is PoAction & Action['action'] => action in actionWords;

/** What can be done with the whole file. What is not possible says why. */
export const ImportActions = ({ file }: { file: ImportDetail }) => {
  const mayAct = useMayAct();
  const navigate = useNavigate();
  const openDialog = useDialog();
  const reread = useMutation({
    mutationFn: () => request<UploadAnswer>(`/imports/${file.id}/reread`, { method: 'POST', body: {} }),
    onSuccess: ({ upload }) => navigate({ to: '/upload/$id', params: { id: upload.id } }),
  });
  const report = useMutation({
    mutationFn: () =>
      request<{ sentence: string }>('/reports', { method: 'POST', body: { importId: file.id } }),
    onSuccess: ({ sentence }) => announce(sentence),
  });
  if (!mayAct) return null;
  const start = ({ action, label }: Action) => {
    if (action === 'reread') reread.mutate();
    else if (action === 'write_report') report.mutate();
    else if (action === 'no_order')
      openDialog((close) => <NoOrderDialog importId={file.id} onClose={close} />);
    else if (isPoAction(action)) {
      const offered = { action, label, effect: actionWords[action].effect };
      openDialog((close) => <BulkDialog offered={offered} filter={{ importId: file.id }} onClose={close} />);
    }
  };
  const possible = file.actions.filter((one) => one.possible);
  const others = file.actions.filter((one) => !one.possible && one.why);
  const failure = reread.error ?? report.error;
  if (possible.length === 0 && others.length === 0) return null;
  return (
    <div className="stack-tight">
      <div className="row">
        {possible.map((one) => (
          <Button
            key={one.action}
            variant={
              ['release', 'retry'].includes(one.action) ||
              (one.action === 'reread' && file.outcome === 'waiting')
                ? 'filled'
                : 'default'
            }
            loading={
              (one.action === 'reread' && reread.isPending) ||
              (one.action === 'write_report' && report.isPending)
            }
            onClick={() => start(one)}
          >
            {one.label}
            {one.count ? ` (${formatCapped(one.count)})` : ''}
            {one.action === 'write_report' ? '' : ' …'}
          </Button>
        ))}
      </div>
      {others.length > 0 ? (
        <details className="dim small">
          <summary>What cannot be done, and why</summary>
          <ul>
            {others.map(({ action, label, why }) => (
              <li key={action}>
                {label}: {why}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {failure ? <ProblemNote error={failure} /> : null}
    </div>
  );
};
