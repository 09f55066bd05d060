// Keeps keys typed before the palette exists: it is loaded on first use, and Today is shown before the app runs.

let typed: string | undefined;
let until = 0;

/** After this long without the palette, keys go to the page again. */
const longestMs = 10_000;

/** Keeps typed keys from now on, until the palette takes them. */
export const keepTyping = (): void => {
  typed ??= '';
  until = Date.now() + longestMs;
};

/** Whether the palette was requested before the app could open it. */
export const isAskedFor = (): boolean => typed !== undefined && Date.now() <= until;

/** Returns what was typed since the palette was requested, and stops keeping keys. */
export const takeTyped = (): string => {
  const text = typed ?? '';
  typed = undefined;
  return text;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keeps a key if the palette does not exist yet. Returns whether it was kept. */
const keepKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean => {
  if (key === 'Escape' || Date.now() > until) typed = undefined;
  if (typed === undefined || ctrlKey || metaKey || altKey || isTyping(target)) return false;
  if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return false;
  return true;
};

/** Ctrl-K or Cmd-K anywhere, and `/` outside of text input. */
const asksForPalette = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) ||
  (key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target));

let ends = (): void => {};

/**
 * Calls `onAsked` when a key requests the palette, and keeps what is typed after it. Only the latest caller listens.
 * @returns a function that stops it
 */
export const listenForPalette = (onAsked: () => void): (() => void) => {
  ends();
  const onKey = (event: KeyboardEvent) => {
    if (keepKey(event)) {
      event.preventDefault();
      return;
    }
    // An open dialog keeps the keyboard.
    if (!asksForPalette(event) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    keepTyping();
    onAsked();
  };
  window.addEventListener('keydown', onKey);
  ends = () => window.removeEventListener('keydown', onKey);
  return ends;
};
