import css from './Logo.module.css';

/** The wheel and the name. */
export const Logo = () => (
  <span className={css.logo}>
    <svg aria-hidden="true" width="22" height="22" viewBox="0 0 32 32" fill="none" stroke="currentColor">
      <circle cx="16" cy="16" r="12" strokeWidth="3" />
      <path d="M16 4v24M4 16h24M7.500 7.500l17 17M24.500 7.500l-17 17" strokeWidth="1.800" />
      <circle cx="16" cy="16" r="3.200" fill="currentColor" strokeWidth="0" />
    </svg>
    Cartwright
  </span>
);
