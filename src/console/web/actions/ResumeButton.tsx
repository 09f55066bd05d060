import { AskButton } from '../components/NoteDialog.tsx';
import { post } from '../data/request.ts';

interface ResumeButtonProps {
  account: string;
  size?: 'xs' | 'sm';
}

/** Ends the pause of an account, wherever the pause is shown. */
export const ResumeButton = ({ account, size = 'sm' }: ResumeButtonProps) => (
  <AskButton
    word="Resume"
    icon="play"
    size={size}
    variant="filled"
    confirm={`Resume ${account}`}
    act={(note) => post(`/accounts/${encodeURIComponent(account)}/resume`, { note })}
  >
    Its purchase orders continue where they were.
  </AskButton>
);
