import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { effectOnMany, type PoAction, poActions } from '../../../../api-contract/action-words.ts';
import type { FileAction } from '../../../../api-contract/actions.ts';
import type { ImportDetail } from '../../../../api-contract/imports.ts';
import { ActionButtons, CorrectButton, PlaceButton } from '../../actions/ActionButtons.tsx';
import BulkDialog from '../../actions/BulkDialog.tsx';
import FilesDialog from '../../actions/FilesDialog.tsx';
import { useReread } from '../../actions/RereadButton.tsx';
import { announce } from '../../components/announce.ts';
import { useDialog } from '../../components/Dialog.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { ProblemNote } from '../../components/page-parts.tsx';
import { formatCapped, formatCount } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

interface NoOrderDialogProps {
  importId: string;
  onClose: () => void;
}

/** Marks a waiting file, and all files with its header, as not an order. */
const NoOrderDialog = ({ importId, onClose }: NoOrderDialogProps) => {
  const [allAlike, setAllAlike] = useState(false);
  return (
    <NoteDialog
      title="Refuse this file as no order?"
      confirm="It is no order"
      isDangerous
      onClose={onClose}
      act={(note) => post(`/imports/${importId}/no-order`, { allAlike, note })}
    >
      <p>Nothing in it is ordered. The dealer’s file goes to failed/ with a note.</p>
      <Checkbox
        label="Refuse all files with this header from now on"
        checked={allAlike}
        onChange={(event) => setAllAlike(event.currentTarget.checked)}
      />
    </NoteDialog>
  );
};

type Action = ImportDetail['actions'][number];

const isPoAction = (action: Action['action']): action is PoAction & Action['action'] =>
  (poActions as readonly string[]).includes(action);

const isFileAction = (action: Action['action']): action is FileAction =>
  action === 'settle' || action === 'unsettle' || action === 'assign';

/** Whether actions are about the refused file itself and not about its POs. */
const isOfFile = ({ outcome, settled }: ImportDetail): boolean =>
  outcome === 'refused' || (settled && outcome === 'not_needed');

/** Actions on the whole file. Impossible ones show the reason. */
export const ImportActions = ({ file }: { file: ImportDetail }) => {
  const mayAct = useMayAct();
  const openDialog = useDialog();
  const reread = useReread(file.id);
  const report = useMutation({
    mutationFn: () => post('/reports', { importId: file.id }),
    onSuccess: ({ sentence }) => announce(sentence),
  });
  if (!mayAct) return null;
  const start = ({ action, label }: Action) => {
    if (action === 'reread') reread.mutate();
    else if (action === 'write_report') report.mutate();
    else if (action === 'no_order')
      openDialog((close) => <NoOrderDialog importId={file.id} onClose={close} />);
    else if (isOfFile(file) && isFileAction(action))
      openDialog((close) => (
        <FilesDialog action={action} files={[file]} account={file.account} onClose={close} />
      ));
    else if (isPoAction(action)) {
      const offered = { action, label, effect: effectOnMany(action) };
      // Alarms of ordered POs are settled individually.
      const which = action === 'settle' ? { state: ['failed' as const, 'rejected' as const] } : {};
      openDialog((close) => (
        <BulkDialog offered={offered} filter={{ importId: file.id, ...which }} onClose={close} />
      ));
    }
  };
  const others = file.actions.filter((one) => !one.possible && one.why);
  const notOrdered = (file.states.rejected ?? 0) + (file.states.failed ?? 0);
  const failure = reread.error ?? report.error;
  if (file.actions.length === 0) return null;
  return (
    <div className="stack-tight">
      <ActionButtons
        offered={file.actions.filter(({ possible }) => possible)}
        wordOf={({ action, label, count }) =>
          `${label}${count ? ` (${formatCapped(count)})` : ''}${action === 'write_report' ? '' : ' …'}`
        }
        moreWord="What is unlikely to help"
        isLoading={({ action }) =>
          (action === 'reread' && reread.isPending) || (action === 'write_report' && report.isPending)
        }
        place={
          <>
            {notOrdered > 0 ? (
              <CorrectButton importId={file.id} isMain={file.place === 'correct'}>
                Correct {notOrdered === 1 ? 'this PO' : `these ${formatCount(notOrdered)} POs`}
              </CorrectButton>
            ) : null}
            {file.place ? <PlaceButton place={file.place} /> : null}
          </>
        }
        onPick={start}
      />
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
