import type { UploadAnswer } from '../../../api/schemas/uploads.ts';
import { Empty, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { ReadingSettings } from './ReadingSettings.tsx';
import { useSaveMapping } from './use-save-mapping.ts';

/** Why a file cannot be read as it is set now, with the settings that may change that. */
export const UnreadableFile = ({ answer, message }: { answer: UploadAnswer; message: string }) => {
  const { upload, file } = answer;
  const save = useSaveMapping(upload.id, () => {});
  return (
    <>
      <Panel>
        <Empty icon="alert" tone="failed" title="This file cannot be read">
          <UntrustedText as="block" text={message} />
        </Empty>
      </Panel>
      {save.error ? <ProblemNote error={save.error} /> : null}
      {file && upload.state === 'draft' ? (
        <ReadingSettings
          file={file}
          mapping={save.isPending ? save.variables.mapping : (upload.mapping ?? {})}
          found={null}
          isNeeded
          isPending={save.isPending}
          onChange={({ columns, ...rest }, anew) =>
            save.mutate({ mapping: anew || !columns ? rest : { ...rest, columns }, goesOn: false })
          }
        />
      ) : null}
    </>
  );
};
