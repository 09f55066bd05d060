import { Modal } from '@mantine/core';
import { SignInForm } from './SignInForm.tsx';

interface SessionEndedProps {
  name: string;
  onSignedIn: () => void;
}

/** Asks a known person to sign in again, above the page on which they work. */
const SessionEnded = ({ name, onSignedIn }: SessionEndedProps) => (
  <Modal
    opened
    onClose={() => {}}
    withCloseButton={false}
    closeOnEscape={false}
    closeOnClickOutside={false}
    title="Your session has ended"
    zIndex={1000}
  >
    <div className="stack">
      <p>Sign in again to continue where you were. Nothing that you entered is lost.</p>
      <SignInForm name={name} onSignedIn={onSignedIn} />
    </div>
  </Modal>
);

export default SessionEnded;
