import { useEffect, useRef } from 'react';
import { Icon } from '../components/Icon.tsx';
import { later } from '../components/later.tsx';
import css from './PaletteButton.module.css';

const Palette = later(() => import('./Palette.tsx'));

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Ctrl-K or Cmd-K anywhere, and `/` where nothing is being typed. */
export const usePaletteKeys = (onOpen: () => void): void => {
  const open = useRef(onOpen);
  open.current = onOpen;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isChord = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isSlash =
        event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (!isChord && !isSlash) return;
      // A dialog has the keyboard for itself.
      if (document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      open.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
};

interface PaletteButtonProps {
  opened: boolean;
  onOpen: (opened: boolean) => void;
}

/** Looks like a field, opens the palette. */
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
