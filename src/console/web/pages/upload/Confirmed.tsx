import { Link } from '@tanstack/react-router';
import type { ImportDetail } from '../../../api/schemas/imports.ts';
import type { UploadDraft } from '../../../api/schemas/uploads.ts';
import { Empty, Panel } from '../../components/page-parts.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { useRead } from '../../data/request.ts';
import { Files } from '../import/Files.tsx';
import { Steps } from '../import/Steps.tsx';

/** How far a confirmed file is, up to its result. */
export const Confirmed = ({ upload }: { upload: UploadDraft }) => {
  const id = upload.importId;
  const query = useRead<ImportDetail>(['import', id], `/imports/${id}`, { enabled: id !== null });
  if (!id || !query.data) {
    return (
      <Panel>
        <Empty icon="clock" tone="progress" title="About to be read">
          The file was handed to {upload.account}. It is read within seconds if a worker has the account's
          folder.
        </Empty>
      </Panel>
    );
  }
  const file = query.data;
  return (
    <>
      <Panel
        title={file.outcomeText}
        aside={
          <Link to="/imports/$id" params={{ id }}>
            Open the import
          </Link>
        }
      >
        <div className="stack">
          {file.poCount > 0 ? <StateBar states={file.states} /> : null}
          <Steps steps={file.steps} account={file.account} />
        </div>
      </Panel>
      <Files file={file} />
    </>
  );
};
