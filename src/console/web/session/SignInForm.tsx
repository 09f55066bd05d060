import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '../components/Form.tsx';
import { ProblemNote } from '../components/page-parts.tsx';
import { readSignInOptions, signIn } from '../data/session.ts';

/** Props of the fields on sign-in pages. */
export const largeField = { size: 'md', required: true, withAsterisk: false } as const;

interface SignInFormProps {
  /** Set if the session of a known person ended; only this person can continue here. */
  name?: string;
  onSignedIn: () => void;
}

/** The sign-in form: user name and password, and the OpenID button if configured. */
export const SignInForm = ({ name: known, onSignedIn }: SignInFormProps) => {
  const [name, setName] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const options = useQuery({ queryKey: ['sign-in'], queryFn: readSignInOptions });
  const enter = useMutation({
    mutationFn: () => signIn(name, password),
    onSuccess: onSignedIn,
    onError: () => setPassword(''),
  });
  const openId = options.data?.openId;
  return (
    <div className="stack">
      {options.error ? <ProblemNote error={options.error} /> : null}
      {openId ? (
        // For an ended session, the provider opens in a new tab, so that this one keeps its input.
        <Button component="a" href={openId.url} target={known ? '_blank' : undefined} size="md" fullWidth>
          Sign in with single sign-on
        </Button>
      ) : null}
      {openId && known ? (
        <Button variant="default" onClick={onSignedIn}>
          I have signed in
        </Button>
      ) : null}
      {options.data?.password === false ? null : (
        <Form onSubmit={() => enter.mutate()}>
          <TextInput
            label="User name"
            name="username"
            autoComplete="username"
            {...largeField}
            readOnly={known !== undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus={known ? undefined : true}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            {...largeField}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            data-autofocus={known ? true : undefined}
          />
          {enter.error ? <ProblemNote error={enter.error} /> : null}
          <Button
            type="submit"
            size="md"
            loading={enter.isPending}
            variant={openId ? 'default' : 'filled'}
            fullWidth
          >
            Sign in
          </Button>
        </Form>
      )}
    </div>
  );
};
