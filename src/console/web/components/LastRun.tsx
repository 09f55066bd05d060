import type { AccountDetail } from '../../api/schemas/accounts.ts';
import { Foreign } from './Foreign.tsx';
import { Time } from './Time.tsx';

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
            : <Foreign text={lastNote} />
          </>
        ) : null}
        )
      </>
    ) : null}
  </>
);
