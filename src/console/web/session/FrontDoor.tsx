import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Logo } from '../components/Logo.tsx';
import { readSignInOptions } from '../data/session.ts';
import css from './FrontDoor.module.css';
import { SetUpForm } from './SetUpForm.tsx';
import { SignInForm } from './SignInForm.tsx';

interface FrontDoorProps {
  link?: string | undefined;
  onSignedIn?: () => void;
  title?: string;
  children?: ReactNode;
}

const Content = ({ link, onSignedIn }: { link: string | undefined; onSignedIn: () => void }) => {
  const options = useQuery({ queryKey: ['sign-in'], queryFn: readSignInOptions });
  if (link) {
    return (
      <>
        <h1>Create the first admin</h1>
        <p className="dim">This user manages everything in the console, and can invite others.</p>
        <SetUpForm link={link} onSignedIn={onSignedIn} />
      </>
    );
  }
  if (options.data?.needsFirstUser) {
    return (
      <>
        <h1>This console has no users yet</h1>
        <p>
          When Cartwright starts, it prints a one-time link that creates the first admin. Open that link on
          the machine where it runs. It is valid for one hour; restart Cartwright for a new one.
        </p>
      </>
    );
  }
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm onSignedIn={onSignedIn} />
    </>
  );
};

/** What a person sees who is not signed in. */
const FrontDoor = ({ link, onSignedIn = () => {}, title, children }: FrontDoorProps) => (
  <main className={css.page}>
    <div className={css.card}>
      <Logo />
      {title ? <h1>{title}</h1> : null}
      {children ?? <Content link={link} onSignedIn={onSignedIn} />}
    </div>
    <p className={css.foot}>Purchase files in, exactly one order for each purchase order out.</p>
  </main>
);

export default FrontDoor;
