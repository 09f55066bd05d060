import { Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PreviewAnswer, ValueChoice } from '../../../../api-contract/previews.ts';
import type { ConfirmAnswer, UploadAnswer } from '../../../../api-contract/uploads.ts';
import { announce } from '../../components/announce.ts';
import { Icon } from '../../components/Icon.tsx';
import { NoteField } from '../../components/NoteDialog.tsx';
import { Empty, LoadFailed, LoadingRows, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCountOf } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useKept } from '../../data/use-kept.ts';
import { PreviewResult } from './PreviewResult.tsx';
import { UnreadColumns } from './UnreadColumns.tsx';

interface PreviewProps {
  answer: UploadAnswer;
  onBack: () => void;
}

const nothingChosen: ValueChoice[] = [];

/** Answers from other layouts for values of this file. */
const proposedChoices = ({ unread }: Extract<PreviewAnswer, { kind: 'read' }>): ValueChoice[] =>
  unread.flatMap(({ column, values }) =>
    values.flatMap(({ value, elsewhere }) => {
      if (!elsewhere) return [];
      const { layout: _, ...choice } = elsewhere;
      return [{ column, value, ...choice }];
    }),
  );

/** The orders that the file would create. Confirming hands it to its account, like a file from the folder. */
export const Preview = ({ answer: { upload }, onBack }: PreviewProps) => {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const {
    value: kept,
    keep: setChoices,
    forget,
  } = useKept<ValueChoice[] | null>(`values ${upload.id}`, null);
  const choices = kept ?? nothingChosen;
  const preview = useQuery({
    queryKey: ['upload-preview', upload.id, choices],
    queryFn: () => post<PreviewAnswer>(`/uploads/${upload.id}/preview`, { values: choices }),
    staleTime: Number.POSITIVE_INFINITY,
    // Keep showing the page while the file is read with another choice.
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    // From then on, the person's decisions count, including ordering such rows after all.
    if (kept === null && preview.data?.kind === 'read' && !preview.isPlaceholderData)
      setChoices(proposedChoices(preview.data));
  }, [kept, preview.data, preview.isPlaceholderData, setChoices]);
  const confirm = useMutation({
    mutationFn: (as: 'order' | 'quote') =>
      post<ConfirmAnswer>(`/uploads/${upload.id}/confirm`, {
        as,
        expectedPos: preview.data?.kind === 'read' ? preview.data.counts.ready : undefined,
        values: choices,
        note: note.trim() || undefined,
      }),
    onSuccess: ({ sentence }) => {
      announce(sentence);
      forget();
      return client.invalidateQueries({ queryKey: ['uploads', upload.id] });
    },
    // The number of POs may have changed: refetch the preview.
    onError: () => preview.refetch(),
  });
  const back = (
    <Button variant="default" leftSection={<Icon name="left" />} onClick={onBack}>
      Change the columns
    </Button>
  );
  if (preview.error) return <LoadFailed error={preview.error} onRetry={preview.refetch} />;
  if (!preview.data) {
    return (
      <Panel title="Reading the file">
        <LoadingRows rows={6} />
      </Panel>
    );
  }
  if (preview.data.kind === 'refused') {
    return (
      <>
        <Panel>
          <Empty icon="alert" tone="failed" title="The file cannot be read like this">
            <UntrustedText as="block" text={preview.data.message} />
          </Empty>
        </Panel>
        <div className="row">{back}</div>
      </>
    );
  }
  const { ready, held, guarded, conflicting } = preview.data.counts;
  const isOrderable = ready + held + conflicting > 0;
  return (
    <>
      <UnreadColumns preview={preview.data} choices={choices} onChange={setChoices} />
      <PreviewResult preview={preview.data} />
      <Panel title="Confirm">
        <p className="dim">{preview.data.mayStillRefuse}</p>
        <NoteField value={note} onChange={setNote} />
        {confirm.error ? <ProblemNote error={confirm.error} /> : null}
        <div className="row">
          <Button
            disabled={!isOrderable || preview.isPlaceholderData}
            loading={confirm.isPending && confirm.variables === 'order'}
            onClick={() => confirm.mutate('order')}
          >
            {ready === 0 && isOrderable
              ? `Import ${formatCountOf(held + conflicting, 'held purchase order')} for ${upload.account}`
              : `Order ${formatCountOf(ready, 'purchase order')} for ${upload.account}`}
          </Button>
          <Button
            variant="default"
            // A guard holds orders but not quotes, so these can be confirmed.
            disabled={ready + guarded === 0 || preview.isPlaceholderData}
            loading={confirm.isPending && confirm.variables === 'quote'}
            onClick={() => confirm.mutate('quote')}
          >
            Ask for prices only
          </Button>
          {back}
        </div>
      </Panel>
    </>
  );
};
