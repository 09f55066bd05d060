import { Button, PasswordInput, Radio } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me, SeenTimes, Session } from '../../../../api-contract/access.ts';
import { announce } from '../../components/announce.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Form } from '../../components/Form.tsx';
import { ListBody, PageHead, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { Time } from '../../components/text.tsx';
import { showAnswer } from '../../data/query-client.ts';
import { request, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';

const times: [value: SeenTimes['times'], word: string][] = [
  ['mixed', 'How long ago where that helps, otherwise the time'],
  ['absolute', 'Always the time: 22 Nov, 14:05'],
  ['relative', 'Always how long ago: 4 min ago'],
];
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The person's time settings, for all pages and browsers. */
const TimesPanel = () => {
  const me = useMe();
  const change = useMutation({
    mutationFn: (seen: SeenTimes) => request('/me/times', { method: 'PUT', body: seen }),
    onSuccess: async (_, seen) => {
      await showAnswer<Me>(['me'], (was) => was && { ...was, ...seen });
      announce('Saved how you see times.');
    },
    onError: () => setChosen(undefined),
  });
  // Optimistic value: without it, the radio would jump back until the mutation updates.
  const [chosen, setChosen] = useState<SeenTimes>();
  const shown = chosen ?? me;
  const choose = (changes: Partial<SeenTimes>) => {
    const seen = { times: shown.times, zone: shown.zone, ...changes };
    setChosen(seen);
    change.mutate(seen);
  };
  return (
    <Panel title="Times">
      <Radio.Group
        label="How times are written"
        value={shown.times}
        onChange={(value) => choose({ times: value as SeenTimes['times'] })}
      >
        <div className="stack-tight">
          {times.map(([value, word]) => (
            <Radio key={value} value={value} label={word} />
          ))}
        </div>
      </Radio.Group>
      <Radio.Group
        label="In which time zone"
        value={shown.zone}
        onChange={(value) => choose({ zone: value as SeenTimes['zone'] })}
      >
        <div className="stack-tight">
          <Radio value="account" label="That of the account" />
          <Radio value="own" label={`That of this browser: ${ownZone()}`} />
        </div>
      </Radio.Group>
      {change.error ? <ProblemNote error={change.error} /> : null}
    </Panel>
  );
};

const PasswordPanel = () => {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    // A wrong present password returns 401, which does not mean that the session has ended.
    mutationFn: () => request('/me/password', { method: 'PUT', body: { current, next }, asStranger: true }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      announce('Changed the password. Your other sessions have ended.');
    },
  });
  return (
    <Panel title="Change the password">
      <Form className="stack narrow" onSubmit={() => change.mutate()}>
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

/** Signed-in browsers, each of which can be signed out. */
const SessionsPanel = () => {
  const client = useQueryClient();
  const list = useRead<{ items: Session[] }>(['sessions'], '/sessions');
  const end = useMutation({
    mutationFn: (id: string) => request(`/sessions/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Panel title="Sessions" flush>
      {end.error ? <ProblemNote error={end.error} /> : null}
      <ListBody list={list}>
        {({ items }) => (
          <DataTable
            caption="Sessions"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { title: 'User', lead: true, text: ({ user }) => user.name },
              { title: 'Browser', grow: true, text: ({ browser }) => browser },
              { title: 'Address', mono: true, text: ({ address }) => address },
              {
                title: 'Since',
                align: 'right',
                wide: true,
                cell: ({ createdAt }) => <Time at={createdAt} />,
              },
              { title: 'Last used', ago: ({ usedAt }) => usedAt },
              {
                title: 'End',
                act: true,
                align: 'right',
                cell: ({ id, current, user }) =>
                  current ? (
                    <span className="dim">this one</span>
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`End a session of ${user.name}`}
                      onClick={() => end.mutate(id)}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </ListBody>
    </Panel>
  );
};

/** The person's time settings, password and sessions. */
const MePage = () => {
  const { name, hasPassword } = useMe();
  return (
    <>
      <PageHead title="Your settings" lead={`Signed in as ${name}`} />
      <div className="stack">
        <TimesPanel />
        {hasPassword ? <PasswordPanel /> : null}
        <SessionsPanel />
      </div>
    </>
  );
};

export default MePage;
