import css from './Announcements.module.css';
import { announcements, withdraw } from './announce.ts';
import { Icon } from './Icon.tsx';
import { UntrustedText } from './text.tsx';

/** The live region for announcements. Always on the page, so that screen readers notice additions. */
export const Announcements = () => {
  const shown = announcements.use();
  return (
    <div role="status" aria-live="polite" aria-label="Announcements" className="corner">
      {shown.map(({ id, sentence }) => (
        <p key={id} className={`raised ${css.note}`}>
          <span className="mark tone-ordered">
            <Icon name="check" />
          </span>
          <UntrustedText text={sentence} />
          <button
            type="button"
            className={`icon-button ${css.close}`}
            aria-label="Close"
            onClick={() => withdraw(id)}
          >
            <Icon name="cross" size={13} />
          </button>
        </p>
      ))}
    </div>
  );
};
