import { Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ImportTimeline as Answer, ImportDetail } from '../../../../api-contract/imports.ts';
import { ImportBadge, PoBadge, poLooks } from '../../components/badges.tsx';
import { Corrections } from '../../components/Corrections.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListBody, NotRead, PageHead, Panel } from '../../components/page-parts.tsx';
import { addedUp, StateBar } from '../../components/StateBar.tsx';
import { Timeline } from '../../components/Timeline.tsx';
import { ImportLink, PoLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatBytes, formatCount, formatCountOf, plain } from '../../data/format.ts';
import { useRead } from '../../data/request.ts';
import { Files } from './Files.tsx';
import { HowItWasRead } from './HowItWasRead.tsx';
import { ImportActions } from './ImportActions.tsx';
import { ImportPos } from './ImportPos.tsx';
import { IssueGroups } from './IssueGroups.tsx';
import { Steps } from './Steps.tsx';

/** The timeline of a file and its POs. */
const ImportTimeline = ({ id, account }: { id: string; account: string }) => {
  const list = useRead<Answer>(['import', id, 'timeline'], `/imports/${id}/timeline`);
  return (
    <Panel title="Timeline">
      <ListBody list={list}>
        {({ events }) => (
          <Timeline
            account={account}
            entries={events.map(({ at, what, detail, who, count, state }) => ({
              at,
              tone: state ? poLooks[state].tone : who ? 'held' : 'ended',
              what,
              detail,
              who,
              notes: [count === null ? undefined : formatCountOf(count, 'purchase order')],
            }))}
          />
        )}
      </ListBody>
    </Panel>
  );
};

/** The file's POs that belong to other files, with their state there. */
const InOtherFiles = ({ file: { others, otherCount } }: { file: ImportDetail }) => (
  <details open={otherCount <= 5}>
    <summary>{formatCountOf(otherCount, 'PO')} in other files</summary>
    <ul className="stack">
      {others.map(({ id, poNumber, state, settled, importId, fileName }) => (
        <li key={id} className="row">
          <PoLink id={id} name={poNumber} most={60} />
          <PoBadge state={state} settled={settled} />
          <span className="dim">
            in <ImportLink id={importId} name={fileName} most={80} />
          </span>
        </li>
      ))}
      {otherCount > others.length ? (
        <li className="dim">and {formatCount(otherCount - others.length)} more</li>
      ) : null}
    </ul>
  </details>
);

const Summary = ({ file }: { file: ImportDetail }) => (
  <Panel>
    <p className="sentence">
      <UntrustedText text={plain(file.outcomeText)} />
    </p>
    {file.reasonText && file.reasonText !== file.outcomeText ? (
      <div className="icon-text notice toned tone-failed">
        <Icon name="alert" />
        <UntrustedText as="block" text={plain(file.reasonText)} />
      </div>
    ) : null}
    {file.warning ? (
      <div className="icon-text notice toned tone-held">
        <Icon name="alert" />
        <UntrustedText as="block" text={file.warning} />
      </div>
    ) : null}
    {file.repeats ? (
      <p>
        The same bytes came before as <ImportLink id={file.repeats.id} name={file.repeats.fileName} />.
      </p>
    ) : null}
    {file.poCount > 0 || file.others.length > 0 ? (
      <StateBar states={addedUp(file.states, file.elsewhere)} />
    ) : null}
    {file.others.length > 0 ? <InOtherFiles file={file} /> : null}
    <Steps steps={file.steps} account={file.account} />
    <ImportActions file={file} />
  </Panel>
);

/** The list includes notes, which reject nothing. A refused file shows its issue above. */
const issuesTitle = ({ issueCount, noteCount, outcome }: ImportDetail): string => {
  if (outcome === 'refused' && issueCount + noteCount === 0) return 'Issues';
  const issues = `Issues (${formatCount(issueCount)})`;
  return noteCount === 0 ? issues : `${issues}, notes (${formatCount(noteCount)})`;
};

const tabs = ['orders', 'issues', 'reading', 'timeline', 'files'] as const;

/** One file: its outcome, why, how to fix it, and everything to download. */
const ImportPage = () => {
  const { id } = useParams({ from: '/imports/$id' });
  const search = useSearch({ from: '/imports/$id' });
  const navigate = useNavigate();
  const query = useRead<ImportDetail>(['import', id], `/imports/${id}`);
  const file = query.data;
  if (!file)
    return (
      <NotRead title="Import" query={query} gone="This import is not in the ledger">
        It may have been removed, or belong to an account that you may not see.
      </NotRead>
    );
  // Open the tab that people most likely came for.
  const hasFailed =
    file.outcome === 'refused' || Object.keys(file.states).every((state) => state === 'rejected');
  const tab = tabs.find((one) => one === search.tab) ?? (hasFailed ? 'issues' : 'orders');
  const go = (next: string | null) =>
    navigate({ to: '.', search: { tab: next ?? undefined }, replace: true, resetScroll: false });
  return (
    <>
      <PageHead
        title={file.fileName}
        heading={<UntrustedText text={file.fileName} most={200} />}
        badge={<ImportBadge outcome={file.outcome} />}
        lead={
          <>
            <UntrustedText text={file.account} /> · received <Time at={file.takenAt} account={file.account} />{' '}
            {file.uploadedBy ? (
              <>
                {file.source === 'correction' ? 'corrected by' : 'from'}{' '}
                <UntrustedText text={file.uploadedBy} />
              </>
            ) : (
              'from the folder'
            )}{' '}
            · {formatBytes(file.sizeBytes)} · {formatCountOf(file.rowCount, 'row')}
            {file.quoteOnly ? ' · quote only' : ''}
          </>
        }
      />
      <div className="stack">
        <Summary file={file} />
        <Corrections path={`/imports/${id}/corrections`} account={file.account} of={id} />
        <Tabs value={tab} onChange={go} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="orders">Purchase orders ({formatCount(file.poCount)})</Tabs.Tab>
            <Tabs.Tab value="issues">{issuesTitle(file)}</Tabs.Tab>
            <Tabs.Tab value="reading">How it was read</Tabs.Tab>
            <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
            <Tabs.Tab value="files">Files</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="orders">
            <ImportPos file={file} state={search.state} cursor={search.cursor} />
          </Tabs.Panel>
          <Tabs.Panel value="issues">
            <IssueGroups file={file} />
          </Tabs.Panel>
          <Tabs.Panel value="reading">
            <HowItWasRead file={file} />
          </Tabs.Panel>
          <Tabs.Panel value="timeline">
            <ImportTimeline id={id} account={file.account} />
          </Tabs.Panel>
          <Tabs.Panel value="files">
            <Files file={file} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </>
  );
};

export default ImportPage;
