import type { IssueGroup, IssuesAnswer } from '../../../../api-contract/import-issues.ts';
import type { ImportDetail } from '../../../../api-contract/imports.ts';
import { Badge } from '../../components/badges.tsx';
import { Download } from '../../components/Download.tsx';
import { Empty, Facts, ListBody, Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCount, formatCountOf } from '../../data/format.ts';
import { apiUrl, useRead } from '../../data/request.ts';
import css from './IssueGroups.module.css';

const Group = ({ group }: { group: IssueGroup }) => {
  const { column, severity, message, expected, fix, count, poCount, rows } = group;
  return (
    <li className="stack-tight padded">
      <div className="row">
        <Badge
          look={
            severity === 'issue'
              ? { tone: 'failed', icon: 'alert', word: 'Issue' }
              : { tone: 'ended', icon: 'info', word: 'Note' }
          }
        />
        <h3>
          Column <UntrustedText text={column} />
        </h3>
        <span className="dim small">
          {formatCountOf(count, 'row')}
          {poCount > 0 ? `, rejects ${formatCountOf(poCount, 'purchase order')}` : ''}
        </span>
      </div>
      <UntrustedText as="block" text={message} />
      <p>
        <strong>How to fix it:</strong> <UntrustedText text={fix} />
      </p>
      <Facts facts={[['Expected', expected, 'block']]} />
      <ul className="row scrolls" aria-label="Rows">
        {rows.map(({ rowNumber, poNumber, found }) => (
          <li key={`${rowNumber} ${poNumber}`} className={css.row}>
            <span className="dim">Row {rowNumber}</span>{' '}
            {found === null || found === '' ? (
              <em className="dim">empty</em>
            ) : (
              <UntrustedText text={found} mono />
            )}
          </li>
        ))}
        {count > rows.length ? <li className="dim">and {formatCount(count - rows.length)} more</li> : null}
      </ul>
    </li>
  );
};

/** Row issues grouped by column and cause; those that reject most POs first. */
export const IssueGroups = ({ file }: { file: ImportDetail }) => {
  const list = useRead<IssuesAnswer>(['import', file.id, 'issues'], `/imports/${file.id}/issues`);
  const isRead = !['reading', 'waiting', 'repeated'].includes(file.outcome);
  // Includes refused files marked as not needed.
  const isRefused = isRead && file.reasonCode !== null;
  return (
    <Panel
      title="Issues by column and cause"
      aside={
        list.data?.groups.length ? (
          <Download href={apiUrl(`/imports/${file.id}/issues/rows`, { format: 'csv' })} size="xs">
            All rows as CSV
          </Download>
        ) : null
      }
      flush
    >
      <ListBody
        list={list}
        isEmpty={({ groups }) => groups.length === 0}
        empty={
          isRefused ? (
            <Empty icon="alert" tone="failed" title="The file was refused as a whole">
              No single row is wrong: the reason is above. Download the source under Files, fix it, and send
              it again.
            </Empty>
          ) : isRead ? (
            <Empty icon="check" tone="ordered" title="No issues">
              Every row could be read.
            </Empty>
          ) : (
            <Empty icon="clock" title="No row was read">
              {file.outcome === 'repeated'
                ? 'An earlier file has the same content: its import shows the issues.'
                : 'Issues are shown here once the file is read.'}
            </Empty>
          )
        }
      >
        {({ groups }) => (
          <ul className="entries">
            {groups.map((group) => (
              <Group key={`${group.column} ${group.code}`} group={group} />
            ))}
          </ul>
        )}
      </ListBody>
    </Panel>
  );
};
