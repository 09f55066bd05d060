import { Radio } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me, SeenTimes } from '../../../api/schemas/access.ts';
import { announce } from '../../components/announce.ts';
import { Panel, ProblemNote } from '../../components/page-parts.tsx';
import { request } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';

const times: [value: SeenTimes['times'], word: string][] = [
  ['mixed', 'How long ago where that helps, otherwise the time'],
  ['absolute', 'Always the time: 22 Nov, 14:05'],
  ['relative', 'Always how long ago: 4 min ago'],
];
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How the person sees times, on every page and in every browser. */
export const TimesPanel = () => {
  const me = useMe();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (seen: SeenTimes) => request('/me/times', { method: 'PUT', body: seen }),
    onSuccess: (_, seen) => {
      client.setQueryData<Me>(['me'], (was) => was && { ...was, ...seen });
      announce('Saved how you see times.');
    },
    onError: () => setChosen(undefined),
  });
  // Said at once: what the mutation says comes a moment after the click, and the radio would jump back until then.
  const [chosen, setChosen] = useState<SeenTimes>();
  const shown = chosen ?? me;
  const choose = (changes: Partial<SeenTimes>) => {
    const seen = { times: shown.times, zone: shown.zone, ...changes };
    setChosen(seen);
    change.mutate(seen);
  };
  return (
    <Panel title="Times">
      <div className="stack">
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
      </div>
    </Panel>
  );
};
