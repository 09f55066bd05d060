import type { ReactNode } from 'react';
import type { ViewPage } from '../../../api-contract/views.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { Download } from './Download.tsx';
import { Pager } from './Pager.tsx';
import { ListBody, PageHead, Panel } from './page-parts.tsx';
import { ViewsButton } from './ViewsButton.tsx';

interface ListAnswer {
  items: unknown[];
  /** The cursor of the next page; null on the last one, undefined for lists without pages. */
  next?: string | null;
}

interface ListPageProps<Answer extends ListAnswer> {
  title: string;
  lead: ReactNode;
  list: { data: Answer | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  /** Address of the whole list as CSV. */
  csv?: string;
  csvLabel?: string;
  /** More actions beside the download. */
  actions?: ReactNode;
  filters?: ReactNode;
  /** Lets people save filters and order as a view of this page. */
  views?: { page: ViewPage; search: Record<string, string | undefined> };
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Props of the table for the entries, */
  table?: Omit<DataTableProps<Answer['items'][number]>, 'caption' | 'rows'>;
  /** or a custom rendering. */
  children?: (answer: Answer) => ReactNode;
}

/** A page with one list: head, download, filters, table and pages. */
export const ListPage = <Answer extends ListAnswer>({
  title,
  lead,
  list,
  csv,
  csvLabel = 'CSV',
  actions,
  filters,
  views,
  empty,
  table,
  children = ({ items }) => table && <DataTable caption={title} rows={items} {...table} />,
}: ListPageProps<Answer>) => (
  <>
    <PageHead title={title} lead={lead}>
      {views ? <ViewsButton {...views} /> : null}
      {csv ? <Download href={csv}>{csvLabel}</Download> : null}
      {actions}
    </PageHead>
    <div className="stack">
      {filters}
      <Panel flush>
        <ListBody list={list} empty={empty}>
          {children}
        </ListBody>
      </Panel>
      {list.data?.next === undefined ? null : <Pager shown={list.data.items.length} next={list.data.next} />}
    </div>
  </>
);
