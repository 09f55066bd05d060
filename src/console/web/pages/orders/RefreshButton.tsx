import { AskButton } from '../../components/AskButton.tsx';
import { post } from '../../data/request.ts';

/** Asks for the statuses of all open orders of an account now. */
export const RefreshButton = ({ account }: { account: string }) => (
  <AskButton
    word="Read statuses now"
    icon="retry"
    title="Read the statuses now?"
    confirm="Read statuses now"
    act={(note) => post(`/accounts/${encodeURIComponent(account)}/run`, { kind: 'poll', note })}
  >
    The service of {account.slice(0, 60)} is asked for all orders that are not finished. This page shows what
    has changed as soon as it is read.
  </AskButton>
);
