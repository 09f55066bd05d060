import { Modal, type ModalProps } from '@mantine/core';

/** The box of every dialog, in a file of its own, so that pages need not wait for it. */
const DialogBox = (props: ModalProps) => <Modal {...props} />;

export default DialogBox;
