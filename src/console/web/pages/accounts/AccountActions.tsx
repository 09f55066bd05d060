import { Link } from '@tanstack/react-router';
import type { AccountDetail } from '../../../api/schemas/accounts.ts';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { AskButton } from '../../components/AskButton.tsx';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Pause, resume, upload. */
export const AccountActions = ({ one: { account, canPause, canResume } }: { one: AccountDetail }) =>
  useMayAct() ? (
    <div className="row">
      {canResume ? <ResumeButton account={account} /> : null}
      {canPause ? (
        <AskButton
          word="Pause"
          icon="pause"
          title={`Pause ${account}?`}
          confirm={`Pause ${account}`}
          act={(note) => post(`/accounts/${encodeURIComponent(account)}/pause`, { note })}
        >
          Nothing is sent for this account until a person resumes it. Files are still picked up and read.
        </AskButton>
      ) : null}
      <Link to="/upload" search={{ account }}>
        Upload a file
      </Link>
    </div>
  ) : null;
