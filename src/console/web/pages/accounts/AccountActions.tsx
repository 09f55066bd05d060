import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountActionAnswer, AccountDetail } from '../../../api/schemas/accounts.ts';
import { Icon } from '../../components/Icon.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Pause, resume, upload. */
export const AccountActions = ({ one }: { one: AccountDetail }) => {
  const [doing, setDoing] = useState<'pause' | 'resume'>();
  if (!useMayAct()) return null;
  const { account, canPause, canResume } = one;
  return (
    <div className="row">
      {canResume ? (
        <Button leftSection={<Icon name="play" />} onClick={() => setDoing('resume')}>
          Resume …
        </Button>
      ) : null}
      {canPause ? (
        <Button variant="default" leftSection={<Icon name="pause" />} onClick={() => setDoing('pause')}>
          Pause …
        </Button>
      ) : null}
      <Link to="/upload" search={{ account }}>
        Upload a file
      </Link>
      {doing ? (
        <NoteDialog
          title={doing === 'pause' ? `Pause ${account}?` : `Resume ${account}?`}
          confirm={doing === 'pause' ? `Pause ${account}` : `Resume ${account}`}
          act={(note) =>
            request<AccountActionAnswer>(`/accounts/${encodeURIComponent(account)}/${doing}`, {
              method: 'POST',
              body: note ? { note } : {},
            })
          }
          onClose={() => setDoing(undefined)}
        >
          {doing === 'pause'
            ? 'Nothing is sent for this account until a person resumes it. Files are still picked up and read.'
            : 'Its purchase orders continue where they were.'}
        </NoteDialog>
      ) : null}
    </div>
  );
};
