import { useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Icon } from '../components/Icon.tsx';
import { useLiveState } from '../data/live.ts';
import { onSessionEnded } from '../data/request.ts';
import { signOut, useMe } from '../data/session.ts';
import { forgetKept } from '../data/use-kept.ts';
import css from './UserMenu.module.css';

const schemes = [
  { value: 'auto', word: 'Like the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const;

/** The user with role, the colour scheme, and sign-out. */
export const UserMenu = () => {
  const { name, role, accounts } = useMe();
  // Mantine stops transitions with a style tag, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const isLive = useLiveState() === 'live';
  const panel = useRef<HTMLDivElement>(null);
  const leave = async () => {
    // This page navigates away itself; only other tabs ask for a password.
    onSessionEnded(undefined);
    forgetKept();
    await signOut().catch(() => {});
    location.assign('/');
  };
  return (
    <>
      <button
        type="button"
        className={css.button}
        popoverTarget="user-menu"
        aria-label={`${name}, ${role}: menu`}
      >
        <span className={isLive ? css.live : css.notLive} title={isLive ? 'Live' : 'Not live'} />
        <span className={css.name}>{name}</span>
        <Icon name="down" size={14} />
      </button>
      <div id="user-menu" popover="auto" ref={panel} className={css.menu}>
        <p className="menu-title">
          {role}, {accounts === 'all' ? 'all accounts' : accounts.join(', ')}
        </p>
        <Link to="/settings/me" className="menu-item" onClick={() => panel.current?.hidePopover()}>
          <Icon name="person" />
          Your settings
        </Link>
        <a href="/api/docs" className="menu-item">
          <Icon name="external" />
          API
        </a>
        <fieldset className={css.schemes}>
          <legend className="menu-title">Colours</legend>
          {schemes.map(({ value, word }) => (
            <label key={value} className="menu-item">
              <input
                type="radio"
                name="colours"
                checked={colorScheme === value}
                onChange={() => setColorScheme(value)}
              />
              {word}
            </label>
          ))}
        </fieldset>
        <button type="button" className="menu-item" onClick={leave}>
          <Icon name="signOut" />
          Sign out
        </button>
      </div>
    </>
  );
};
