import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../components/ProblemNote.tsx';
import { setUp } from '../data/session.ts';

const shortest = 12;

/** Makes the first admin with the one-time link that `cartwright up` prints. */
export const SetUpForm = ({ link, onSignedIn }: { link: string; onSignedIn: () => void }) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const tooShort = password.length > 0 && password.length < shortest;
  const differs = again.length > 0 && again !== password;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (password.length < shortest || again !== password) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await setUp(link, name, password);
      onSignedIn();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label="User name"
        name="username"
        autoComplete="username"
        size="md"
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        description={`At least ${shortest} characters. A sentence is easier to remember.`}
        name="password"
        autoComplete="new-password"
        size="md"
        required
        withAsterisk={false}
        value={password}
        error={tooShort ? `${shortest - password.length} more characters` : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password again"
        name="password-again"
        autoComplete="new-password"
        size="md"
        required
        withAsterisk={false}
        value={again}
        error={differs ? 'The two passwords differ' : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      {failure ? <ProblemNote error={failure} /> : null}
      <Button type="submit" size="md" loading={busy} fullWidth>
        Create the first admin
      </Button>
    </form>
  );
};
