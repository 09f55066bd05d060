import type { ModalProps } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { later } from './later.tsx';

/** Fetches what all dialogs share, so that the first one opens at once. */
export const DialogBox = later<ModalProps>(() => import('./DialogBox.tsx'));

/**
 * A dialog that is open as long as it is rendered. Mantine gives the focus back only when a dialog closes, not when it is
 * removed, so this does.
 */
export const Dialog = (props: Omit<ModalProps, 'opened'>) => {
  // While rendering: afterwards the focus is in the dialog already.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog is gone, and only if the element still is on the page.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
  return <DialogBox {...props} opened />;
};

type Draw = (close: () => void) => ReactNode;

const Host = createContext<(draw: Draw) => void>(() => {});

/**
 * Where dialogs of lists live: the entry from which a dialog was opened may disappear because of what the dialog does, and
 * must not take the dialog with it.
 */
export const DialogHost = ({ children }: { children: ReactNode }) => {
  const [draw, setDraw] = useState<Draw>();
  const open = useCallback((next: Draw) => setDraw(() => next), []);
  return (
    <Host value={open}>
      {children}
      {draw?.(() => setDraw(undefined))}
    </Host>
  );
};

/** Opens a dialog that stays until it is closed, whatever happens to the component that opened it. */
export const useDialog = () => useContext(Host);
