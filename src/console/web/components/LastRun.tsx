import type { AccountDetail } from '../../../api-contract/accounts.ts';
import { Time, UntrustedText } from './text.tsx';

interface LastRunProps {
  account: string;
  run: Pick<AccountDetail['schedules'][number], 'lastAt' | 'lastResult' | 'lastNote'>;
}

/** When a schedule ran last, and how that ended if not well. */
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
