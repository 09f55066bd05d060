import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { PoAction } from '../../../api-contract/action-words.ts';
import type { PeopleAnswer } from '../../../api-contract/actions.ts';
import { ProblemNote } from '../components/page-parts.tsx';
import { useRead } from '../data/request.ts';
import { useMe } from '../data/session.ts';

interface AssigneeFieldProps {
  /** Only people who may act for this account; without it, for every account that is shown. */
  account: string | undefined;
  /** Null: unassigned. */
  value: string | null;
  onChange: (person: string | null) => void;
}

/** Selects an assignee; the current user comes first. */
const AssigneeField = ({ account, value, onChange }: AssigneeFieldProps) => {
  const me = useMe();
  const people = useRead<PeopleAnswer>(['people', account], '/people', {
    query: { account },
    staleTime: 60_000,
  });
  const others = (people.data?.people ?? []).filter((name) => name !== me.name);
  return (
    <>
      <NativeSelect
        label="Who takes care of it"
        data={[
          { value: me.name, label: `${me.name} (me)` },
          ...others.map((name) => ({ value: name, label: name })),
          { value: '', label: 'Nobody in particular' },
        ]}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
      {people.error ? <ProblemNote error={people.error} /> : null}
    </>
  );
};

/** For the action assign: the assignee, initially the current user, and the field for it. */
export const useAssignee = (action: PoAction, account: string | undefined) => {
  const [assignee, setAssignee] = useState<string | null>(useMe().name);
  return action === 'assign'
    ? { assignee, field: <AssigneeField account={account} value={assignee} onChange={setAssignee} /> }
    : { assignee: undefined, field: null };
};
