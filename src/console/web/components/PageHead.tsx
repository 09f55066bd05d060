import { type ReactNode, useEffect } from 'react';
import css from './PageHead.module.css';
import { visibleText } from './UntrustedText.tsx';

interface PageHeadProps {
  title: string;
  /** In place of the plain title, for example with a badge. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** Actions on the right. */
  children?: ReactNode;
}

/** The first line of a page; it also names the browser's tab. */
export const PageHead = ({ title, heading, lead, children }: PageHeadProps) => {
  useEffect(() => {
    // A name from a file may be as long as it likes.
    document.title = `${visibleText(title.slice(0, 80))} · Cartwright`;
  }, [title]);
  return (
    <header className={css.head}>
      <div className={css.words}>
        <h1>{heading ?? title}</h1>
        {lead ? <div className="dim">{lead}</div> : null}
      </div>
      {children ? <div className="row">{children}</div> : null}
    </header>
  );
};
