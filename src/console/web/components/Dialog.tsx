import type { ModalProps } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { lazyComponent } from './later.tsx';

/** The shared code of all dialogs, preloaded so that the first one opens at once. */
export const DialogBox = lazyComponent<ModalProps>(() => import('./DialogBox.tsx'));

/**
 * A dialog that is open while it is rendered. Mantine restores the focus only when a dialog closes, not when it is removed, so this does
 * it.
 */
export const Dialog = (props: Omit<ModalProps, 'opened'>) => {
  // Read during rendering, because afterwards the focus is already in the dialog.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog is gone, and only if the element is still on the page.
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

/** Hosts dialogs opened from list entries: an entry may disappear because of the dialog's action and must not take the dialog with it. */
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
