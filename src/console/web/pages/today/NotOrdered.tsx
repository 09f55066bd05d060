import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FileAction } from '../../../../api-contract/actions.ts';
import { poName } from '../../../../api-contract/po-words.ts';
import type { RefusedGroup, TodayAnswer } from '../../../../api-contract/today.ts';
import { PlaceButton } from '../../actions/ActionButtons.tsx';
import { BulkButtons } from '../../actions/BulkButtons.tsx';
import { RereadButton } from '../../actions/RereadButton.tsx';
import { useDialog } from '../../components/Dialog.tsx';
import { lazyComponent } from '../../components/later.tsx';
import { ImportLink, PoLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatCapped, formatCount, formatCountOf, plain } from '../../data/format.ts';
import { useMayAct } from '../../data/session.ts';
import { Entry } from './Entry.tsx';

const FilesDialog = lazyComponent(() => import('../../actions/FilesDialog.tsx'));

/** The assignees, if any. */
const Assigned = ({ to }: { to: readonly string[] }) =>
  to.length === 0 ? null : (
    <>
      {' · assigned to '}
      <UntrustedText text={to.join(', ')} />
    </>
  );

const shownFiles = 5;

/** Files refused for one reason, or with rows that belong to no PO. */
export const RefusedEntry = ({ group }: { group: RefusedGroup }) => {
  const openDialog = useDialog();
  const mayAct = useMayAct();
  const { account, files, reasonCode, reasonText, canBeReadAgain, assignees } = group;
  const isRead = reasonCode === 'rows_without_po';
  const [latest] = files;
  if (!latest) return null;
  const act = (action: FileAction) =>
    openDialog((close) => <FilesDialog action={action} files={files} account={account} onClose={close} />);
  return (
    <Entry
      tone="failed"
      icon="file"
      title={
        files.length === 1 ? (
          <Link to="/imports/$id" params={{ id: latest.id }}>
            {isRead ? 'Rows not ordered' : 'Refused'}: <UntrustedText text={latest.fileName} />
          </Link>
        ) : isRead ? (
          `Rows not ordered in ${formatCountOf(files.length, 'file')}`
        ) : (
          `${formatCountOf(files.length, 'file')} refused for the same reason`
        )
      }
      meta={
        <>
          {account} · <Time at={latest.takenAt} account={account} relative />
          <Assigned to={assignees} />
        </>
      }
      actions={
        mayAct ? (
          <div className="row">
            {!canBeReadAgain ? (
              <PlaceButton place="upload" size="xs" />
            ) : files.length === 1 ? (
              <RereadButton importId={latest.id} />
            ) : null}
            <Button size="xs" variant="default" onClick={() => act('settle')}>
              Not needed …
            </Button>
            <Button size="xs" variant="default" onClick={() => act('assign')}>
              Assign …
            </Button>
          </div>
        ) : null
      }
    >
      {reasonText ? <UntrustedText as="block" text={plain(reasonText)} /> : null}
      {files.length > 1 ? (
        <ul>
          {files.slice(0, shownFiles).map(({ id, fileName }) => (
            <li key={id}>
              <ImportLink id={id} name={fileName} />
            </li>
          ))}
          {files.length > shownFiles ? (
            <li>
              <Link to="/imports" search={{ account, outcome: isRead ? 'partly_ordered' : 'refused' }}>
                and {formatCount(files.length - shownFiles)} more
              </Link>
            </li>
          ) : null}
        </ul>
      ) : null}
    </Entry>
  );
};

const endings = {
  failed: 'The service refuses them.',
  rejected: 'A row is wrong, and nothing was sent.',
} as const;

interface GroupProps<Group> {
  group: Group;
  /** Limits the group to POs assigned to this person. */
  mine: { assignee?: string };
}

/** POs that failed or were rejected for one cause. */
export const NotOrderedEntry = ({ group, mine }: GroupProps<TodayAnswer['notOrdered'][number]>) => {
  const { account, state, reasonCode, message, count, latestAt, example, assignees } = group;
  const cause = {
    account,
    ...(reasonCode === null ? {} : { reason: reasonCode }),
    ...(message === null ? {} : { message }),
    ...mine,
  };
  return (
    <Entry
      tone="failed"
      icon="cross"
      title={
        <Link to="/purchase-orders" search={{ state, needs: 'settling', ...cause }}>
          {formatCapped(count)} {state}:{' '}
          {message === null ? endings[state] : <UntrustedText text={plain(message)} />}
        </Link>
      }
      meta={
        <>
          {account} · last <PoLink id={example.id} name={example.poNumber} />,{' '}
          <Time at={latestAt} account={account} relative />
          <Assigned to={assignees} />
        </>
      }
      actions={
        <BulkButtons
          offered={group.actions}
          place={group.place}
          filter={{ state: [state], needs: 'settling', ...cause }}
          files={group.files}
        />
      }
    >
      <p>{group.advice}</p>
    </Entry>
  );
};

/** POs with alarms of one cause. */
export const AlarmEntry = ({ group, mine }: GroupProps<TodayAnswer['alarms'][number]>) => {
  const { account, cause, alarm, count, latestAt, example, assignees, actions } = group;
  return (
    <Entry
      tone="held"
      icon="alert"
      title={
        count === 1 ? (
          <Link to="/purchase-orders/$id" params={{ id: example.id }}>
            <UntrustedText text={poName(example.poNumber)} /> differs from its file
          </Link>
        ) : (
          <Link to="/purchase-orders" search={{ alarm: 'true', account, cause, ...mine }}>
            {formatCount(count)} differ from their files: <UntrustedText text={cause} />
          </Link>
        )
      }
      meta={
        <>
          {account} ·{' '}
          {count === 1 ? null : (
            <>
              last <PoLink id={example.id} name={example.poNumber} />,{' '}
            </>
          )}
          <Time at={latestAt} account={account} relative />
          <Assigned to={assignees} />
        </>
      }
      actions={
        <BulkButtons
          offered={actions}
          place={null}
          filter={{ account, alarm: true, alarmCause: cause, ...mine }}
        />
      }
    >
      {count === 1 ? <UntrustedText as="block" text={alarm} /> : null}
    </Entry>
  );
};
