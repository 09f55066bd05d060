import { Button } from '@mantine/core';
import type { AccountActionAnswer } from '../../api/schemas/accounts.ts';
import { useDialog } from '../components/DialogHost.tsx';
import { Icon } from '../components/Icon.tsx';
import { NoteDialog } from '../components/NoteDialog.tsx';
import { request } from '../data/request.ts';
import { useMayAct } from '../data/session.ts';

interface ResumeButtonProps {
  account: string;
  size?: 'xs' | 'sm';
}

/** Ends the pause of an account, wherever the pause is shown. People who may not act do not see it. */
export const ResumeButton = ({ account, size = 'sm' }: ResumeButtonProps) => {
  const openDialog = useDialog();
  if (!useMayAct()) return null;
  return (
    <Button
      size={size}
      leftSection={<Icon name="play" />}
      onClick={() =>
        openDialog((close) => (
          <NoteDialog
            title={`Resume ${account}?`}
            confirm={`Resume ${account}`}
            act={(note) =>
              request<AccountActionAnswer>(`/accounts/${encodeURIComponent(account)}/resume`, {
                method: 'POST',
                body: note ? { note } : {},
              })
            }
            onClose={close}
          >
            Its purchase orders continue where they were.
          </NoteDialog>
        ))
      }
    >
      Resume …
    </Button>
  );
};
