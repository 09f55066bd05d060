import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { announce } from './announce.ts';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './Form.tsx';
import { NoteField } from './NoteField.tsx';

export interface NoteDialogProps {
  title: string;
  /** What happens, for the decision. */
  children: ReactNode;
  confirm: string;
  isDangerous?: boolean;
  withNote?: boolean;
  /** False: something is to be chosen first. */
  ready?: boolean;
  /** Does it; the answer's sentence is announced. */
  act: (note: string | undefined) => Promise<{ sentence: string }>;
  onClose: () => void;
}

/** Confirms one action with a note, does it, and stays open with the reason if it fails. */
export const NoteDialog = (props: NoteDialogProps) => {
  const { title, children, withNote = true, ready = true, act, onClose, ...rest } = props;
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const run = useMutation({
    mutationFn: () => act(note.trim() || undefined),
    onSettled: () => client.invalidateQueries(),
    onSuccess: ({ sentence }) => {
      announce(sentence);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={title} size={520}>
      <DialogForm {...{ run, onClose, ...rest }} disabled={!ready}>
        <div>{children}</div>
        {withNote ? <NoteField value={note} onChange={setNote} /> : null}
      </DialogForm>
    </Dialog>
  );
};
