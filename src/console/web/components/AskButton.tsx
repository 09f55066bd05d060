import { Button } from '@mantine/core';
import { useMayAct } from '../data/session.ts';
import { useDialog } from './Dialog.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { NoteDialog, type NoteDialogProps } from './NoteDialog.tsx';

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
