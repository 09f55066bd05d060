import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountActionAnswer, AccountDetail } from '../../../api/schemas/accounts.ts';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { Icon } from '../../components/Icon.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Pause, resume, upload. */
export const AccountActions = ({ one }: { one: AccountDetail }) => {
  const [isPausing, setIsPausing] = useState(false);
  if (!useMayAct()) return null;
  const { account, canPause, canResume } = one;
  return (
    <div className="row">
      {canResume ? <ResumeButton account={account} /> : null}
      {canPause ? (
        <Button variant="default" leftSection={<Icon name="pause" />} onClick={() => setIsPausing(true)}>
          Pause …
        </Button>
      ) : null}
      <Link to="/upload" search={{ account }}>
        Upload a file
      </Link>
      {isPausing ? (
        <NoteDialog
          title={`Pause ${account}?`}
          confirm={`Pause ${account}`}
          act={(note) =>
            request<AccountActionAnswer>(`/accounts/${encodeURIComponent(account)}/pause`, {
              method: 'POST',
              body: note ? { note } : {},
            })
          }
          onClose={() => setIsPausing(false)}
        >
          Nothing is sent for this account until a person resumes it. Files are still picked up and read.
        </NoteDialog>
      ) : null}
    </div>
  );
};
