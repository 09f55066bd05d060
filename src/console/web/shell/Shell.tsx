import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { DialogBox, DialogHost } from '../components/Dialog.tsx';
import { Icon } from '../components/Icon.tsx';
import { Logo } from '../components/Logo.tsx';
import { lazyComponent, preloadWhenIdle } from '../components/later.tsx';
import { followChanges } from '../data/live.ts';
import { AccountsProvider } from '../data/zones.tsx';
import { LiveBanner, SandboxBanner } from './Banners.tsx';
import { Navigation } from './Navigation.tsx';
import { PaletteButton, usePaletteKeys } from './PaletteButton.tsx';
import { RunningActions } from './RunningActions.tsx';
import css from './Shell.module.css';
import { UserMenu } from './UserMenu.tsx';

const NavigationDrawer = lazyComponent(() => import('./NavigationDrawer.tsx'));

/** The frame of every page: navigation, search, user menu and live state. */
export const Shell = () => {
  // Undefined until first opened, because most pages never need it.
  const [menuOpen, setMenuOpen] = useState<boolean>();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const firstPath = useRef(path);
  usePaletteKeys(() => setPaletteOpen(true));

  useEffect(() => followChanges(), []);
  useEffect(() => preloadWhenIdle(DialogBox), []);
  useEffect(() => {
    if (firstPath.current === path) return;
    firstPath.current = '';
    setMenuOpen((opened) => opened && false);
    // Move the focus, so that a new page starts at the top for keyboards and screen readers.
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <AccountsProvider>
      <a href="#content" className={css.skip}>
        Skip to the content
      </a>
      <div className={css.frame}>
        <aside className={css.side}>
          <div className={css.brand}>
            <Logo />
          </div>
          <Navigation />
        </aside>
        <div className={css.body}>
          <header className={css.top}>
            <button
              type="button"
              className={`icon-button ${css.burger}`}
              aria-label="Open the navigation"
              onClick={() => setMenuOpen(true)}
            >
              <Icon name="menu" size={18} />
            </button>
            <PaletteButton opened={paletteOpen} onOpen={setPaletteOpen} />
            <UserMenu />
          </header>
          <SandboxBanner />
          <LiveBanner />
          <RunningActions />
          <main id="content" ref={main} tabIndex={-1} className={css.main}>
            <DialogHost>
              <Outlet />
            </DialogHost>
          </main>
        </div>
      </div>
      {menuOpen === undefined ? null : (
        <NavigationDrawer opened={menuOpen} onClose={() => setMenuOpen(false)} />
      )}
    </AccountsProvider>
  );
};
