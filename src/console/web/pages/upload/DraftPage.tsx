import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ImportDetail } from '../../../../api-contract/imports.ts';
import type { UploadAnswer, UploadDraft } from '../../../../api-contract/uploads.ts';
import { Empty, NotRead, PageHead, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { ImportLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatBytes } from '../../data/format.ts';
import { request, useRead } from '../../data/request.ts';
import { Files } from '../import/Files.tsx';
import { Steps } from '../import/Steps.tsx';
import { MappingEditor } from './MappingEditor.tsx';
import { Preview } from './Preview.tsx';
import { ReadingSettings } from './ReadingSettings.tsx';
import { useSaveMapping } from './use-save-mapping.ts';

/** The progress of a confirmed file, up to its result. */
const Confirmed = ({ upload }: { upload: UploadDraft }) => {
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
        {file.poCount > 0 ? <StateBar states={file.states} /> : null}
        <Steps steps={file.steps} account={file.account} />
      </Panel>
      <Files file={file} />
    </>
  );
};

/** Why a file cannot be read with the present settings, and the settings that may help. */
const UnreadableFile = ({ answer, message }: { answer: UploadAnswer; message: string }) => {
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

/** An uploaded file: how it would be read, what it would order, and then its progress. */
const DraftPage = () => {
  const { id } = useParams({ from: '/upload/$id' });
  const { step } = useSearch({ from: '/upload/$id' });
  const navigate = useNavigate();
  const query = useRead<UploadAnswer>(['uploads', id], `/uploads/${id}`, {
    // Confirmed, it becomes an import as soon as a worker picks it up.
    refetchInterval: ({ state }) =>
      state.data?.upload.state === 'confirmed' && !state.data.upload.importId ? 1500 : false,
  });
  const discard = useMutation({
    mutationFn: () => request(`/uploads/${id}`, { method: 'DELETE' }),
    onSuccess: () => navigate({ to: '/upload', search: {} }),
  });
  if (!query.data)
    return (
      <NotRead title="Upload" query={query} gone="This upload is no longer here">
        Uploads that nobody confirms are deleted after a day. <Link to="/upload">Upload the file again.</Link>
      </NotRead>
    );
  const { upload, proposal } = query.data;
  const go = (next: 'columns' | 'preview') =>
    navigate({ to: '/upload/$id', params: { id }, search: { step: next } });
  return (
    <>
      <PageHead
        title={upload.fileName}
        heading={<UntrustedText text={upload.fileName.slice(0, 200)} />}
        lead={
          <>
            <UntrustedText text={upload.account} /> · {formatBytes(upload.sizeBytes)} · uploaded{' '}
            <Time at={upload.uploadedAt} account={upload.account} relative /> by{' '}
            <UntrustedText text={upload.uploadedBy} />
          </>
        }
      >
        {upload.state === 'draft' ? (
          <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate()}>
            Discard
          </Button>
        ) : null}
      </PageHead>
      <div className="stack">
        {discard.error ? <ProblemNote error={discard.error} /> : null}
        {upload.knownAs && upload.state === 'draft' ? (
          <Panel>
            <p>
              The same file came before as{' '}
              <ImportLink id={upload.knownAs.id} name={upload.knownAs.fileName} /> (
              <Time at={upload.knownAs.takenAt} account={upload.account} />
              ). What it ordered is not ordered again.
            </p>
          </Panel>
        ) : null}
        {upload.state === 'confirmed' ? (
          <Confirmed upload={upload} />
        ) : upload.state === 'discarded' ? (
          <Panel>
            <Empty icon="minus" title="This upload was discarded">
              Nothing of it was ordered.
            </Empty>
          </Panel>
        ) : proposal.kind === 'refused' ? (
          <UnreadableFile answer={query.data} message={proposal.message} />
        ) : step === 'preview' ? (
          <Preview answer={query.data} onBack={() => go('columns')} />
        ) : (
          <MappingEditor answer={query.data} proposal={proposal} onPreview={() => go('preview')} />
        )}
      </div>
    </>
  );
};

export default DraftPage;
