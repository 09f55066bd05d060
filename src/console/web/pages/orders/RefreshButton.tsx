import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountActionAnswer } from '../../../api/schemas/accounts.ts';
import { Icon } from '../../components/Icon.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Asks for the statuses of all open orders of an account now. */
export const RefreshButton = ({ account }: { account: string }) => {
  const mayAct = useMayAct();
  const [asks, setAsks] = useState(false);
  if (!mayAct) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="retry" />} onClick={() => setAsks(true)}>
        Read statuses now …
      </Button>
      {asks ? (
        <NoteDialog
          title="Read the statuses now?"
          confirm="Read statuses now"
          act={(note) =>
            request<AccountActionAnswer>(`/accounts/${encodeURIComponent(account)}/run`, {
              method: 'POST',
              body: { kind: 'poll', ...(note ? { note } : {}) },
            })
          }
          onClose={() => setAsks(false)}
        >
          The service of {account.slice(0, 60)} is asked for all orders that are not finished. This page shows
          what has changed as soon as it is read.
        </NoteDialog>
      ) : null}
    </>
  );
};
