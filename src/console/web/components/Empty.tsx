import type { ReactNode } from 'react';
import css from './Blank.module.css';
import { Icon, type IconName } from './Icon.tsx';
import type { Tone } from './tones.ts';

interface EmptyProps {
  icon: IconName;
  tone?: Tone;
  title: string;
  children?: ReactNode;
}

/** In place of content that does not exist, with the reason or the next step. */
export const Empty = ({ icon, tone = 'ended', title, children }: EmptyProps) => (
  <div className={css.blank}>
    <span className={`${css.mark} tone-${tone}`}>
      <Icon name={icon} size={20} />
    </span>
    <h2>{title}</h2>
    {children ? <p className="dim">{children}</p> : null}
  </div>
);
