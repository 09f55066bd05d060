// The palette is loaded when it is opened for the first time, and Today can be read before the program runs. What is typed until the
// palette is there would be lost.

let typed: string | undefined;
let until = 0;

/** If the palette does not come, the keys are the page's again. */
const longestMs = 10_000;

/** Keeps what is typed from now on, until the palette takes it. */
export const keepTyping = (): void => {
  typed ??= '';
  until = Date.now() + longestMs;
};

/** True if the palette was asked for before the program could open it. */
export const isAskedFor = (): boolean => typed !== undefined && Date.now() <= until;

/** What was typed since the palette was asked for. Nothing is kept any more. */
export const takeTyped = (): string => {
  const text = typed ?? '';
  typed = undefined;
  return text;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keeps a key if the palette is not there yet. True if it was kept. */
const keepKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean => {
  if (key === 'Escape' || Date.now() > until) typed = undefined;
  if (typed === undefined || ctrlKey || metaKey || altKey || isTyping(target)) return false;
  if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return false;
  return true;
};

/** Ctrl-K or Cmd-K anywhere, and `/` where nothing is being typed. */
const asksForPalette = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) ||
  (key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target));

let ends = (): void => {};

/**
 * Calls `onAsked` when a key asks for the palette, and keeps what is typed after it. The latest caller is the only one who
 * listens.
 * @returns ends it
 */
export const listenForPalette = (onAsked: () => void): (() => void) => {
  ends();
  const onKey = (event: KeyboardEvent) => {
    if (keepKey(event)) {
      event.preventDefault();
      return;
    }
    // A dialog has the keyboard for itself.
    if (!asksForPalette(event) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    keepTyping();
    onAsked();
  };
  window.addEventListener('keydown', onKey);
  ends = () => window.removeEventListener('keydown', onKey);
  return ends;
};
