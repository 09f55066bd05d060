import { Link } from '@tanstack/react-router';
import type { UploadsAnswer } from '../../../api/schemas/uploads.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatBytes } from '../../data/format.ts';
import { useRead } from '../../data/request.ts';
import { useTimeColumn } from '../../data/zones.tsx';

/** Uploads that nobody has confirmed or discarded yet, so that one that was left is found again. */
export const OpenUploads = () => {
  const uploaded = useTimeColumn('Uploaded');
  const list = useRead<UploadsAnswer>(['uploads', 'open'], '/uploads', { refetchOnMount: 'always' });
  if (!list.data || list.data.items.length === 0) return null;
  return (
    <Panel title="Not confirmed yet" flush>
      <DataTable
        caption="Uploads that are not confirmed yet"
        rows={list.data.items}
        keyOf={({ id }) => id}
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
          {
            title: uploaded.title,
            align: 'right',
            cell: ({ uploadedAt }) => <Time at={uploadedAt} column={uploaded.column} relative />,
          },
        ]}
      />
    </Panel>
  );
};
