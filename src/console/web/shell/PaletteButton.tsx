import { useLayoutEffect, useRef } from 'react';
import { Icon } from '../components/Icon.tsx';
import { lazyComponent } from '../components/later.tsx';
import css from './PaletteButton.module.css';
import { isAskedFor, keepTyping, listenForPalette } from './typed-ahead.ts';

const Palette = lazyComponent(() => import('./Palette.tsx'));

/** Ctrl-K or Cmd-K anywhere, and `/` outside of text input; also if pressed before the app ran. */
export const usePaletteKeys = (onOpen: () => void): void => {
  const open = useRef(onOpen);
  open.current = onOpen;
  // A layout effect, so that a key pressed right after rendering counts.
  useLayoutEffect(() => {
    if (isAskedFor()) {
      keepTyping();
      open.current();
    }
    return listenForPalette(() => open.current());
  }, []);
};

interface PaletteButtonProps {
  opened: boolean;
  onOpen: (opened: boolean) => void;
}

/** A button that looks like a field and opens the palette. */
export const PaletteButton = ({ opened, onOpen }: PaletteButtonProps) => (
  <>
    <button type="button" className={css.button} onClick={() => onOpen(true)} aria-haspopup="dialog">
      <Icon name="search" />
      <span className={css.text}>Search POs, orders, SKUs, files …</span>
      <span className={css.short}>Search</span>
      <kbd className={css.key}>/</kbd>
    </button>
    {opened ? <Palette onClose={() => onOpen(false)} /> : null}
  </>
);
