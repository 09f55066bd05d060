import { Modal, type ModalProps } from '@mantine/core';

const fields = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)';
const targets = [
  '[data-autofocus]',
  fields,
  'button[type=submit]:not(:disabled)',
  'button:not(:disabled), a[href]',
];

/** Where a person begins in a dialog: its first field, or its main button. */
const firstIn = (box: HTMLElement): HTMLElement | undefined => {
  for (const target of targets) {
    const found = box.querySelector<HTMLElement>(target);
    if (found) return found;
  }
  return undefined;
};

/** Keeps the focus in the content of a dialog, from when it is there until it is gone. */
const keepFocus = (box: HTMLDivElement) => {
  const settle = () => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement === box)
      firstIn(box)?.focus({ preventScroll: true });
  };
  box.addEventListener('focus', settle);
  const changes = new MutationObserver(settle);
  changes.observe(box, { childList: true, subtree: true });
  return () => {
    box.removeEventListener('focus', settle);
    changes.disconnect();
  };
};

/**
 * The box of every dialog, in a file of its own, so that pages need not wait for it. The focus is in its content, and not on the
 * button that closes it; when what had the focus disappears, because the content came or was replaced, it moves to what is there now.
 */
const DialogBox = ({ children, ...props }: ModalProps) => (
  <Modal {...props}>
    <div ref={keepFocus} data-autofocus tabIndex={-1}>
      {children}
    </div>
  </Modal>
);

export default DialogBox;
