import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { post } from '../../data/request.ts';

interface NoOrderDialogProps {
  importId: string;
  onClose: () => void;
}

/** Says that a file that waits is no order, and with it all files with its header. */
export const NoOrderDialog = ({ importId, onClose }: NoOrderDialogProps) => {
  const [allAlike, setAllAlike] = useState(false);
  return (
    <NoteDialog
      title="Refuse this file as no order?"
      confirm="It is no order"
      isDangerous
      onClose={onClose}
      act={(note) => post(`/imports/${importId}/no-order`, { allAlike, note })}
    >
      <div className="stack">
        <p>Nothing in it is ordered. The dealer’s file goes to failed/ with a note.</p>
        <Checkbox
          label="Refuse all files with this header from now on"
          checked={allAlike}
          onChange={(event) => setAllAlike(event.currentTarget.checked)}
        />
      </div>
    </NoteDialog>
  );
};
