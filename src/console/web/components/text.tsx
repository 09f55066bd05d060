import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { isFirstView } from '../data/first-data.ts';
import { formatExact, formatRelative, formatTime } from '../data/format.ts';
import { useNow } from '../data/use-now.ts';
import { PageZone, useColumnZone, useSeenTimes, useZoneOf } from '../data/zones.tsx';
import css from './UntrustedText.module.css';

/** Invisible and direction-changing characters, with which a name could alter how a page reads. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The text with those characters made visible. */
export const visibleText = (text: string): string =>
  text.replace(invisible, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

export interface UntrustedTextProps {
  /** Text from a file, a service or a person. */
  text: string;
  /** `line`: one line, truncated with an ellipsis. `block`: a separate paragraph. */
  as?: 'line' | 'block' | 'inline' | undefined;
  mono?: boolean | undefined;
  /** Maximum number of characters shown. */
  most?: number;
}

/** Nobody reads more; a download has the rest if it matters. */
const mostCharacters = 2000;

/** Truncates a longer text. */
const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Untrusted text: isolated, with invisible characters made visible, never wider than its container. */
export const UntrustedText = ({
  text,
  as = 'inline',
  mono = false,
  most = mostCharacters,
}: UntrustedTextProps) => {
  const visible = visibleText(as === 'line' ? text.replaceAll('\n', ' ') : shorten(text, most));
  return (
    <bdi
      className={`${css[as]} ${mono ? 'mono' : ''}`}
      title={
        (as === 'line' && visible.length > 24) || text.length > most
          ? visibleText(text.slice(0, 500))
          : undefined
      }
    >
      {visible}
    </bdi>
  );
};

/** Placeholder for a missing value. */
export const dash = <span className="dim">–</span>;

export interface TimeProps {
  at: string | null;
  /** The account whose time zone applies, unless the page head names another. */
  account?: string | null | undefined;
  /** The zone named by the column heading, instead of the account's. */
  column?: { zone: string | undefined };
  /** `4 min ago` instead of the time, unless the person prefers absolute times. */
  relative?: boolean;
  /** Placeholder for a missing time. */
  none?: string;
}

/** A time in the person's preferred format. The tooltip has it in full, with the zone's offset. */
export const Time = ({ at, account, column, relative = false, none = '–' }: TimeProps) => {
  const own = useZoneOf(account);
  const page = useContext(PageZone);
  const named = column ?? page;
  const zone = named ? named.zone : own;
  const { times } = useSeenTimes();
  const now = useNow();
  if (!at) return <span className="dim">{none}</span>;
  return (
    <time dateTime={at} className="no-wrap" title={isFirstView ? undefined : formatExact(at, zone)}>
      {times === 'relative' || (relative && times === 'mixed')
        ? formatRelative(Date.parse(at), now)
        : formatTime(at, zone, now)}
    </time>
  );
};

/** Names the time zone of a panel: the account's. */
export const ZoneOf = ({ account }: { account: string }) => {
  const { name } = useColumnZone(account);
  return `Times of ${name}`;
};

interface LinkProps extends Omit<UntrustedTextProps, 'text'> {
  id: string;
  name: string;
  onClick?: () => void;
}

const linkTo =
  (to: '/purchase-orders/$id' | '/imports/$id') =>
  ({ id, name, onClick, ...text }: LinkProps) => (
    <Link to={to} params={{ id }} onClick={onClick}>
      <UntrustedText text={name} {...text} />
    </Link>
  );

export const PoLink = linkTo('/purchase-orders/$id');
export const ImportLink = linkTo('/imports/$id');

export const AccountLink = ({ account, as }: { account: string; as?: 'line' }) => (
  <Link to="/accounts/$account" params={{ account }}>
    <UntrustedText text={account} as={as} />
  </Link>
);
