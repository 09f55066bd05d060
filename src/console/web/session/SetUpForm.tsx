import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '../components/Form.tsx';
import { ProblemNote } from '../components/page-parts.tsx';
import { setUp } from '../data/session.ts';
import { largeField } from './SignInForm.tsx';

const shortest = 12;

/** Makes the first admin with the one-time link that `cartwright up` prints. */
export const SetUpForm = ({ link, onSignedIn }: { link: string; onSignedIn: () => void }) => {
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
