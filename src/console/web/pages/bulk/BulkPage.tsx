import { useParams } from '@tanstack/react-router';
import type { BulkRun } from '../../../../api-contract/bulk.ts';
import { BulkProgress } from '../../actions/BulkProgress.tsx';
import { Facts, PageHead, Panel } from '../../components/page-parts.tsx';
import { ChangedByRun } from '../../components/RunEntries.tsx';
import { Time } from '../../components/text.tsx';
import { useRead } from '../../data/request.ts';

/** One bulk run: who started it, its progress and its result. */
const BulkPage = () => {
  const { id } = useParams({ from: '/bulk/$id' });
  const run = useRead<BulkRun>(['bulk', id], `/bulk/${id}`);
  return (
    <>
      <PageHead title={`Bulk action ${id}`} />
      <Panel>
        <BulkProgress id={id} />
        {run.data ? (
          <Facts
            facts={[
              ['Started by', run.data.who, 'untrusted'],
              ['Started', <Time key="at" at={run.data.createdAt} />],
              ['Ended', run.data.finishedAt ? <Time key="end" at={run.data.finishedAt} /> : null],
              ['Assigned to', run.data.assignee, 'untrusted'],
              ['Note', run.data.note, 'block'],
            ]}
          />
        ) : null}
        <div>
          <h2>What it changed</h2>
          <ChangedByRun run={id} />
        </div>
      </Panel>
    </>
  );
};

export default BulkPage;
