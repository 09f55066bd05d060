import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Form } from '../components/Form.tsx';
import { Logo } from '../components/Logo.tsx';
import { ProblemNote } from '../components/page-parts.tsx';
import { readSignInOptions, setUp } from '../data/session.ts';
import css from './FrontDoor.module.css';
import { largeField, SignInForm } from './SignInForm.tsx';

const shortest = 12;

/** Creates the first admin with the one-time link that `cartwright up` prints. */
const SetUpForm = ({ link, onSignedIn }: { link: string; onSignedIn: () => void }) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const make = useMutation({ mutationFn: () => setUp(link, name, password), onSuccess: onSignedIn });
  const tooShort = password.length > 0 && password.length < shortest;
  const differs = again.length > 0 && again !== password;

  const submit = () => {
    if (password.length >= shortest && again === password) make.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <TextInput
        label="User name"
        name="username"
        autoComplete="username"
        {...largeField}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        description={`At least ${shortest} characters. A sentence is easier to remember.`}
        name="password"
        autoComplete="new-password"
        {...largeField}
        value={password}
        error={tooShort ? `${shortest - password.length} more characters` : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password again"
        name="password-again"
        autoComplete="new-password"
        {...largeField}
        value={again}
        error={differs ? 'The two passwords differ' : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      {make.error ? <ProblemNote error={make.error} /> : null}
      <Button type="submit" size="md" loading={make.isPending} fullWidth>
        Create the first admin
      </Button>
    </Form>
  );
};

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

/** The page for people who are not signed in. */
const FrontDoor = ({ link, onSignedIn = () => {}, title, children }: FrontDoorProps) => (
  <main className={css.page}>
    <div className={`stack ${css.card}`}>
      <Logo />
      {title ? <h1>{title}</h1> : null}
      {children ?? <Content link={link} onSignedIn={onSignedIn} />}
    </div>
    <p className="dim small">Purchase files in, exactly one order for each purchase order out.</p>
  </main>
);

export default FrontDoor;
