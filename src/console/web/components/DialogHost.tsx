import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

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
