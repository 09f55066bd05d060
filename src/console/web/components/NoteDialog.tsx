import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { announce } from './announce.ts';
import { Dialog } from './Dialog.tsx';
import { NoteField } from './NoteField.tsx';
import { ProblemNote } from './ProblemNote.tsx';

interface NoteDialogProps {
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
  const {
    title,
    children,
    confirm,
    isDangerous = false,
    withNote = true,
    ready = true,
    act,
    onClose,
  } = props;
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
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <div>{children}</div>
        {withNote ? <NoteField value={note} onChange={setNote} /> : null}
        {run.error ? <ProblemNote error={run.error} /> : null}
        <div className="row">
          <Button
            type="submit"
            disabled={!ready}
            loading={run.isPending}
            color={isDangerous ? 'red' : undefined}
          >
            {confirm}
          </Button>
          <Button variant="default" onClick={onClose}>
            Do nothing
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
