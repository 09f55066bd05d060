import type { AccountDetail } from '../../../api/schemas/accounts.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Panel } from '../../components/Panel.tsx';

/** Which columns of the dealer's files hold which field. */
export const Layouts = ({ layouts }: { layouts: AccountDetail['layouts'] }) => (
  <>
    {layouts.map(({ name, columns }) => (
      <Panel
        key={name ?? ''}
        title={name === null ? 'Columns' : `Columns of the layout ${name.slice(0, 60)}`}
        flush
      >
        <DataTable
          caption="Column mapping"
          rows={Object.entries(columns)}
          keyOf={([header]) => header}
          columns={[
            { title: 'Column of the file', lead: true, cell: ([header]) => <Foreign text={header} /> },
            { title: 'Read as', cell: ([, field]) => <Foreign text={field} mono /> },
          ]}
        />
      </Panel>
    ))}
  </>
);
