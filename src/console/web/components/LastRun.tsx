import type { AccountDetail } from '../../../api-contract/accounts.ts';
import { Time, UntrustedText } from './text.tsx';

interface LastRunProps {
  account: string;
  run: Pick<AccountDetail['schedules'][number], 'lastAt' | 'lastResult' | 'lastNote'>;
}

/** The time of a schedule's last run, and its result unless it succeeded. */
export const LastRun = ({ account, run: { lastAt, lastResult, lastNote } }: LastRunProps) => (
  <>
    <Time at={lastAt} account={account} relative none="never" />
    {lastResult !== null && lastResult !== 'done' ? (
      <>
        {' '}
        ({lastResult}
        {lastNote ? (
          <>
            : <UntrustedText text={lastNote} />
          </>
        ) : null}
        )
      </>
    ) : null}
  </>
);
