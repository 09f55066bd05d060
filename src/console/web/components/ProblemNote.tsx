import { Icon } from './Icon.tsx';
import css from './ProblemNote.module.css';

/** What went wrong, beside the thing that was tried. Announced by screen readers. */
export const ProblemNote = ({ error }: { error: unknown }) => (
  <p role="alert" className={css.note}>
    <Icon name="alert" />
    <span>{error instanceof Error ? error.message : String(error)}</span>
  </p>
);
