import type { ReactNode } from 'react';
import type { Tone } from '../../components/badges.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import css from './NeedsYou.module.css';

interface EntryProps {
  tone: Tone;
  icon: IconName;
  title: ReactNode;
  meta: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

/** An entry that needs a person, with its actions. */
export const Entry = ({ tone, icon, title, meta, children, actions }: EntryProps) => (
  <li className={`padded ${css.entry}`}>
    <span className={`mark tone-${tone}`}>
      <Icon name={icon} />
    </span>
    <div>
      <p className={`medium ${css.title}`}>{title}</p>
      {children}
      <p className="dim small">{meta}</p>
    </div>
    {actions ? <div className={css.actions}>{actions}</div> : null}
  </li>
);
