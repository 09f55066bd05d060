import { actOn } from '../../../api-contract/action-words.ts';
import type { FileAction, FileActionAnswer } from '../../../api-contract/actions.ts';
import { NoteDialog } from '../components/NoteDialog.tsx';
import { formatCountOf } from '../data/format.ts';
import { post } from '../data/request.ts';
import { useAssignee } from './AssigneeField.tsx';

const effects: Record<FileAction, string> = {
  settle:
    'Nothing is to be done about it: it is no longer counted as something to do. This can be taken back.',
  unsettle: 'It is counted again as something to do.',
  assign: 'That person finds it on Today under Mine.',
};

interface FilesDialogProps {
  action: FileAction;
  files: readonly { id: string; fileName: string }[];
  account: string;
  onClose: () => void;
}

/** Confirms settling, unsettling or assigning refused files. */
const FilesDialog = ({ action, files, account, onClose }: FilesDialogProps) => {
  const { assignee, field } = useAssignee(action, account);
  const [only] = files;
  const what = files.length === 1 && only ? only.fileName.slice(0, 60) : formatCountOf(files.length, 'file');
  const doing = actOn(action, what, files.length);
  return (
    <NoteDialog
      confirm={doing}
      onClose={onClose}
      act={(note) =>
        post<FileActionAnswer>('/imports/actions', {
          action,
          ids: files.map(({ id }) => id),
          assignee,
          note,
        })
      }
    >
      <p>{effects[action]}</p>
      {field}
    </NoteDialog>
  );
};

export default FilesDialog;
