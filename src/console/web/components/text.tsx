import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { isFirstView } from '../data/first-data.ts';
import { formatExact, formatRelative, formatTime } from '../data/format.ts';
import { useNow } from '../data/use-now.ts';
import { PageZone, useColumnZone, useSeenTimes, useZoneOf } from '../data/zones.tsx';
import css from './UntrustedText.module.css';

/** Characters that turn the direction of text or hide in it: a name must not make a page read differently. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The text with those characters made visible. */
export const visibleText = (text: string): string =>
  text.replace(invisible, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

export interface UntrustedTextProps {
  /** Text from a file, a service or a person. */
  text: string;
  /** `line`: one line, cut with an ellipsis. `block`: a paragraph of its own. */
  as?: 'line' | 'block' | 'inline' | undefined;
  mono?: boolean | undefined;
  /** The most characters that are shown. */
  most?: number;
}

/** Nobody reads more of an answer; where it matters, there is a download. */
const mostCharacters = 2000;

/** Its beginning, where a text is longer than that. */
const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Text that the console did not write: isolated, with its invisible characters made visible, never wider than its place. */
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

/** In place of a value that is not there. */
export const dash = <span className="dim">–</span>;

export interface TimeProps {
  at: string | null;
  /** Times of an account are shown in its zone, if the head of the page names no other. */
  account?: string | null | undefined;
  /** The zone that the heading of its column names, in place of the account's. */
  column?: { zone: string | undefined };
  /** `4 min ago` in place of the time, unless the person wants to see times in another way. */
  relative?: boolean;
  /** In place of a time that is not there. */
  none?: string;
}

/** A moment, as the person wants to see times. Its tooltip has it in full, with the offset of its zone. */
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

/** Whose times a panel shows: those of the account, in its zone. */
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
