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

/** Why a person does something. The ledger keeps it with the action. */
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
  /** By default what is confirmed, as a question. */
  title?: string;
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
  /** What screen readers say in place of the word. */
  name?: string;
}

/** A button that does something once a person has confirmed it. People who may not act do not see it. */
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
