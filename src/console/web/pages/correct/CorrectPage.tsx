import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CorrectionAnswer } from '../../../../api-contract/corrections.ts';
import { Empty, LoadFailed, LoadingRows, PageHead, Panel } from '../../components/page-parts.tsx';
import { ImportLink, UntrustedText, visibleText } from '../../components/text.tsx';
import { formatCountOf } from '../../data/format.ts';
import { RequestFailed, useRead } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { CorrectionEditor } from './CorrectionEditor.tsx';

const NotHere = ({ error, importId, retry }: { error: unknown; importId: string; retry: () => unknown }) =>
  error instanceof RequestFailed && (error.status === 409 || error.status === 422) ? (
    <Empty
      icon="info"
      title={error.status === 409 ? 'Nothing to correct' : 'These rows cannot be corrected here'}
    >
      {error.message}{' '}
      <Link to="/imports/$id" params={{ id: importId }}>
        Open the import.
      </Link>
    </Empty>
  ) : (
    <LoadFailed error={error} onRetry={retry} />
  );

/** Corrects the rows of rejected or failed POs without a new file. */
const CorrectPage = () => {
  const { id } = useParams({ from: '/imports/$id/correct' });
  const { po } = useSearch({ from: '/imports/$id/correct' });
  const mayAct = useMayAct();
  const [times, setTimes] = useState(0);
  const query = useRead<CorrectionAnswer>(['correction', id, po ?? 'all'], `/imports/${id}/correction`, {
    query: { purchaseOrders: po },
    enabled: mayAct,
    // Refetching must not replace what a person is typing.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
    retry: false,
  });
  const failed = query.isError && !query.isFetching;
  const answer = failed ? undefined : query.data;
  if (!answer)
    return (
      <>
        <PageHead title="Correct rows" />
        <Panel>
          {!mayAct ? (
            <Empty icon="lock" title="You may look, but not correct">
              Your role is viewer. Ask an administrator of the console.
            </Empty>
          ) : failed ? (
            <NotHere error={query.error} importId={id} retry={query.refetch} />
          ) : (
            <LoadingRows rows={10} />
          )}
        </Panel>
      </>
    );
  const { fileName, account, purchaseOrders } = answer;
  const [only] = purchaseOrders.length === 1 ? purchaseOrders : [];
  const what = only
    ? `PO ${only.poNumber.slice(0, 80)}`
    : formatCountOf(purchaseOrders.length, 'purchase order');
  return (
    <>
      <PageHead
        title={`Correct ${visibleText(what)}`}
        lead={
          <>
            <UntrustedText text={account} /> · <ImportLink id={id} name={fileName} most={100} />
            {answer.quoteOnly ? ' · quote only' : ''}
          </>
        }
      />
      <CorrectionEditor
        key={times}
        answer={answer}
        keptAs={`correction ${id} ${po ?? 'all'}`}
        onReload={() =>
          query.refetch().then(({ isSuccess }) => {
            if (isSuccess) setTimes(times + 1);
            return isSuccess;
          })
        }
      />
    </>
  );
};

export default CorrectPage;
