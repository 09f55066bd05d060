import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMayAct } from '../data/session.ts';
import { announce } from './announce.ts';
import { Dialog, useDialog } from './Dialog.tsx';
import { DialogForm } from './Form.tsx';
import { Icon, type IconName } from './Icon.tsx';

interface NoteFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The person's note, stored in the ledger with the action. */
export const NoteField = ({ value, onChange }: NoteFieldProps) => (
  <Textarea
    label="Note"
    description="Optional. Shown in the timeline and under Activity."
    maxLength={500}
    rows={2}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

export interface NoteDialogProps {
  /** Default: the action as a question. */
  title?: string;
  /** Explains the effect. */
  children: ReactNode;
  confirm: string;
  isDangerous?: boolean;
  withNote?: boolean;
  /** False: a choice is missing. */
  ready?: boolean;
  /** Performs the action; the answer's sentence is announced. */
  act: (note: string | undefined) => Promise<{ sentence: string }>;
  onClose: () => void;
}

/** Confirms one action with a note, performs it, and stays open with the reason if it fails. */
export const NoteDialog = (props: NoteDialogProps) => {
  const {
    title = `${props.confirm}?`,
    children,
    withNote = true,
    ready = true,
    act,
    onClose,
    ...rest
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
      <DialogForm {...{ run, onClose, ...rest }} disabled={!ready}>
        <div className="stack">{children}</div>
        {withNote ? <NoteField value={note} onChange={setNote} /> : null}
      </DialogForm>
    </Dialog>
  );
};

interface AskButtonProps extends Omit<NoteDialogProps, 'onClose'> {
  word: string;
  icon?: IconName;
  size?: 'sm' | 'xs' | 'compact-xs';
  variant?: 'default' | 'filled';
  /** Accessible name instead of the word. */
  name?: string;
}

/** A button that acts after confirmation. Hidden from people who may not act. */
export const AskButton = ({ word, icon, size, variant = 'default', name, ...asked }: AskButtonProps) => {
  const openDialog = useDialog();
  if (!useMayAct()) return null;
  return (
    <Button
      size={size}
      variant={variant}
      aria-label={name}
      leftSection={icon ? <Icon name={icon} /> : undefined}
      onClick={() => openDialog((close) => <NoteDialog {...asked} onClose={close} />)}
    >
      {word} …
    </Button>
  );
};
