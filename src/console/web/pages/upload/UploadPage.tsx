import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import type { UploadAnswer, UploadsAnswer } from '../../../../api-contract/uploads.ts';
import { TablePanel } from '../../components/DataTable.tsx';
import { TemplateButtons } from '../../components/Download.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Empty, PageHead, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatBytes } from '../../data/format.ts';
import { request, useRead } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { useAccounts, useTimeColumn } from '../../data/zones.tsx';
import css from './UploadPage.module.css';

/** Uploads that nobody has confirmed or discarded yet. */
const OpenUploads = () => {
  const uploaded = useTimeColumn('Uploaded');
  const list = useRead<UploadsAnswer>(['uploads', 'open'], '/uploads', { refetchOnMount: 'always' });
  if (!list.data || list.data.items.length === 0) return null;
  return (
    <TablePanel
      title="Not confirmed yet"
      caption="Uploads that are not confirmed yet"
      rows={list.data.items}
      keyOf={({ id }) => id}
      times={uploaded}
      columns={[
        {
          title: 'File',
          lead: true,
          grow: true,
          cell: ({ id, fileName }) => (
            <Link to="/upload/$id" params={{ id }}>
              <UntrustedText as="line" text={fileName} />
            </Link>
          ),
        },
        { title: 'Account', line: ({ account }) => account },
        { title: 'By', line: ({ uploadedBy }) => uploadedBy },
        { title: 'Size', align: 'right', wide: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
        { title: uploaded.title, ago: ({ uploadedAt }) => uploadedAt },
      ]}
    />
  );
};

/** Uploads a file for review before anything is ordered. */
const UploadPage = () => {
  const search = useSearch({ from: '/upload' });
  const accounts = useAccounts().filter(({ state }) => state !== 'not_configured');
  const navigate = useNavigate();
  const mayAct = useMayAct();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const [only, another] = accounts;
  // With several accounts there is no default, because the account's dealer pays for the orders.
  const account = chosen ?? search.account ?? (another ? undefined : only?.account);
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file, file.name);
      return request<UploadAnswer>('/uploads', { method: 'POST', query: { account }, body: form });
    },
    onSuccess: (answer) => navigate({ to: '/upload/$id', params: { id: answer.upload.id } }),
  });
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file && account) upload.mutate(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const size = upload.variables?.size;
  return (
    <>
      <PageHead title="Upload" lead="See what a file would order before anything is sent" />
      {mayAct ? (
        <div className="stack">
          <Panel>
            <NativeSelect
              label="Account"
              className="narrow"
              data={[
                ...(account ? [] : [{ value: '', label: 'Choose an account …', disabled: true }]),
                ...accounts.map((one) => one.account),
              ]}
              value={account ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same with the keyboard. */}
            <div
              className={`${css.drop} ${isOver ? css.over : ''}`}
              onDragOver={(event) => {
                event.preventDefault();
                setIsOver(true);
              }}
              onDragLeave={() => setIsOver(false)}
              onDrop={drop}
            >
              <Icon name="upload" size={28} />
              {upload.isPending ? (
                <p role="status">
                  Uploading {upload.variables?.name.slice(0, 80)} ({formatBytes(size ?? 0)}) …
                </p>
              ) : (
                <>
                  <p>
                    {account
                      ? 'Drop a purchase file here: Excel, CSV, OpenDocument, or a table as a web page.'
                      : only
                        ? 'Choose the account that the file is for.'
                        : 'A file can be uploaded once an account is known that you may use.'}
                  </p>
                  <Button disabled={!account} onClick={() => field.current?.click()}>
                    Choose a file …
                  </Button>
                </>
              )}
              <input
                ref={field}
                type="file"
                disabled={!account}
                className="hidden-text"
                aria-label="Purchase file"
                tabIndex={-1}
                onChange={(event) => {
                  take(event.currentTarget.files);
                  event.currentTarget.value = '';
                }}
              />
            </div>
            {upload.error ? <ProblemNote error={upload.error} /> : null}
            <p className="dim small">
              Nothing is ordered until you have seen the preview and confirmed it. The file is deleted a day
              after its upload if you do not.
            </p>
            {account ? <TemplateButtons account={account} /> : null}
          </Panel>
          <OpenUploads />
        </div>
      ) : (
        <Panel>
          <Empty icon="lock" title="You may look, but not upload">
            Your role is viewer. An admin of the console can change it.
          </Empty>
        </Panel>
      )}
    </>
  );
};

export default UploadPage;
