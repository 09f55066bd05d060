import { Modal, type ModalProps } from '@mantine/core';

const fields = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)';
const targets = [
  '[data-autofocus]',
  fields,
  'button[type=submit]:not(:disabled)',
  'button:not(:disabled), a[href]',
];

/** The initial focus of a dialog: its first field or its main button. */
const firstIn = (box: HTMLElement): HTMLElement | undefined => {
  for (const target of targets) {
    const found = box.querySelector<HTMLElement>(target);
    if (found) return found;
  }
  return undefined;
};

/** Keeps the focus in the content of a dialog while it is mounted. */
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
 * The box of every dialog, in a separate file so that pages need not wait for it. The focus is in its content, not on the close button.
 * When the focused element disappears because the content loads or changes, the focus moves to the new content.
 */
const DialogBox = ({ children, ...props }: ModalProps) => (
  <Modal {...props}>
    <div ref={keepFocus} data-autofocus tabIndex={-1}>
      {children}
    </div>
  </Modal>
);

export default DialogBox;
