import { type ReactNode, useId } from 'react';
import css from './Panel.module.css';

interface PanelProps {
  title?: ReactNode;
  /** Beside the title: actions or a count. */
  aside?: ReactNode;
  /** Tables and lists reach the edges. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled part of a page. */
export const Panel = ({ title, aside, flush = false, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={title ? id : undefined}>
      {title ? (
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          {aside}
        </header>
      ) : null}
      <div className={flush ? css.flush : css.body}>{children}</div>
    </section>
  );
};
