import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '../../components/announce.ts';
import { Form } from '../../components/Form.tsx';
import { Panel, ProblemNote } from '../../components/page-parts.tsx';
import { request } from '../../data/request.ts';
import css from './PasswordPanel.module.css';

export const PasswordPanel = () => {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    // A wrong present password is answered 401, which does not mean that the session has ended.
    mutationFn: () => request('/me/password', { method: 'PUT', body: { current, next }, asStranger: true }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      announce('Changed the password. Your other sessions have ended.');
    },
  });
  return (
    <Panel title="Change the password">
      <Form className={css.form!} onSubmit={() => change.mutate()}>
        <PasswordInput
          label="Present password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters."
          autoComplete="new-password"
          minLength={12}
          required
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        {change.error ? <ProblemNote error={change.error} /> : null}
        <div>
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </div>
      </Form>
    </Panel>
  );
};
