import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useId } from 'react';
import { RequestFailed } from '../data/request.ts';
import type { Tone } from './badges.tsx';
import { Icon, type IconName } from './Icon.tsx';
import css from './page-parts.module.css';
import { UntrustedText, visibleText } from './text.tsx';

interface EmptyProps {
  icon: IconName;
  tone?: Tone;
  title: string;
  role?: 'alert';
  /** A button or link to act on it. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Placeholder for missing content, with the reason or the next step. */
export const Empty = ({ icon, tone = 'ended', title, role, action, children }: EmptyProps) => (
  <div role={role} className={css.blank}>
    <span className={`mark large tone-${tone}`}>
      <Icon name={icon} size={20} />
    </span>
    <h2>{title}</h2>
    {children ? <p className="dim">{children}</p> : null}
    {action}
  </div>
);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const titleOf = (error: unknown): string => {
  if (!(error instanceof RequestFailed)) return 'This part of the page failed';
  if (error.status === 0) return 'The console cannot be reached';
  if (error.status === 404) return 'Not here';
  if (error.status === 403) return 'You may not see this';
  return 'This could not be loaded';
};

/** Placeholder for content that failed to load: the problem and what to do. */
export const LoadFailed = ({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) => {
  const isFinal = error instanceof RequestFailed && [403, 404, 422].includes(error.status);
  return (
    <Empty
      role="alert"
      icon={isFinal ? 'search' : 'alert'}
      tone={isFinal ? 'ended' : 'failed'}
      title={titleOf(error)}
      action={
        isFinal || !onRetry ? null : (
          <Button variant="default" leftSection={<Icon name="retry" />} onClick={() => onRetry()}>
            Try again
          </Button>
        )
      }
    >
      {messageOf(error)}
    </Empty>
  );
};

/** Placeholder for a list that is loading, with the height of its rows. */
export const LoadingRows = ({ rows = 8 }: { rows?: number }) => (
  <div role="status" aria-label="Loading" className="stack-tight">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
      <span key={index} className={css.row} />
    ))}
  </div>
);

interface PageHeadProps {
  title: string;
  /** Replaces the plain title. */
  heading?: ReactNode;
  /** Beside the title. */
  badge?: ReactNode;
  lead?: ReactNode;
  /** Actions, on the right. */
  children?: ReactNode;
}

/** The first line of a page; it also names the browser's tab. */
export const PageHead = ({ title, heading = title, badge, lead, children }: PageHeadProps) => {
  useEffect(() => {
    // A name from a file may be very long.
    document.title = `${visibleText(title.slice(0, 80))} · Cartwright`;
  }, [title]);
  return (
    <header className={css.pageHead}>
      <div className={css.words}>
        <h1>
          {heading}
          {badge}
        </h1>
        {lead ? <div className="dim">{lead}</div> : null}
      </div>
      {children ? <div className="row">{children}</div> : null}
    </header>
  );
};

export interface PanelProps {
  title?: ReactNode;
  /** Beside the title: actions. */
  aside?: ReactNode;
  /** The same: a count, or what is shown. */
  note?: ReactNode;
  /** Content without padding, for tables and lists. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled part of a page. */
export const Panel = ({ title, aside, note, flush = false, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={title ? id : undefined}>
      {title ? (
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          {note ? <span className="dim small">{note}</span> : aside}
        </header>
      ) : null}
      <div className={flush ? css.flush : `stack ${css.body}`}>{children}</div>
    </section>
  );
};

interface ListPanelProps<Item> {
  title: string;
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}

/** A titled list of few entries; renders nothing if it is empty. */
export const ListPanel = <Item,>({ title, items, children }: ListPanelProps<Item>) =>
  items.length === 0 ? null : (
    <Panel title={title}>
      <ul className="stack-tight">{items.map(children)}</ul>
    </Panel>
  );

/** An error beside the failed action. Announced by screen readers. */
export const ProblemNote = ({ error }: { error: unknown }) => (
  <p role="alert" className="icon-text notice toned tone-failed">
    <Icon name="alert" />
    <span>{messageOf(error)}</span>
  </p>
);

interface ListBodyProps<Answer> {
  list: { data: Answer | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  /** Shown if the list is empty. */
  empty?: ReactNode;
  /** Default: it has no items. */
  isEmpty?: (answer: Answer) => boolean;
  children: (answer: Answer) => ReactNode;
}

const hasNoItems = (answer: object): boolean =>
  'items' in answer && Array.isArray(answer.items) && answer.items.length === 0;

/** The body of a list in its states: loading, failed, empty, and with entries. */
export const ListBody = <Answer extends object>({
  list,
  empty = null,
  isEmpty = hasNoItems,
  children,
}: ListBodyProps<Answer>) => {
  if (list.data === undefined) {
    return list.error ? (
      <LoadFailed error={list.error} onRetry={list.refetch} />
    ) : (
      <div className="padded">
        <LoadingRows />
      </div>
    );
  }
  if (isEmpty(list.data)) return empty;
  return (
    <div className={list.isPlaceholderData ? css.outdated : undefined} aria-busy={list.isPlaceholderData}>
      {children(list.data)}
    </div>
  );
};

interface NotReadProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
  /** The title if the ledger does not have it; the children explain why. */
  gone?: string;
  children?: ReactNode;
}

/** Placeholder for a details page while it loads or after loading failed. */
export const NotRead = ({ title, query: { error, refetch }, gone, children }: NotReadProps) => (
  <>
    <PageHead title={title} />
    <Panel>
      {gone && error instanceof RequestFailed && error.status === 404 ? (
        <Empty icon="search" title={gone}>
          {children}
        </Empty>
      ) : error ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </Panel>
  </>
);

/** A name, a value, and how to show the value if it is untrusted. */
export type Fact = [name: string, value: ReactNode, written?: 'untrusted' | 'block' | 'mono'];

/** Names and values; entries without a value are omitted. */
export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className={css.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value, written]) => (
        <div key={name} className={css.fact}>
          <dt>{name}</dt>
          <dd>
            {written ? (
              <UntrustedText
                as={written === 'block' ? 'block' : 'inline'}
                mono={written === 'mono'}
                text={String(value)}
              />
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
  </dl>
);
