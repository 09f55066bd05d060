import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ActivityEntry } from '../../../api/schemas/activity.ts';
import { Icon } from '../../components/Icon.tsx';
import { ProblemNote } from '../../components/ProblemNote.tsx';
import { type Query, request } from '../../data/request.ts';

const most = 10_000;

/** A cell that a spreadsheet shows as text: it must not run what a note or a name begins with. */
const cell = (value: string | null): string => {
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

const columns: (keyof ActivityEntry & string)[] = [
  'at',
  'who',
  'via',
  'action',
  'account',
  'poNumber',
  'fileName',
  'note',
];

const readAll = async (filter: Query): Promise<ActivityEntry[]> => {
  const all: ActivityEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ActivityEntry[]; next: string | null } = await request('/activity', {
      query: { ...filter, cursor, limit: 200 },
    });
    all.push(...page.items);
    cursor = page.next;
  } while (cursor && all.length < most);
  return all;
};

/** Saves the entries of the filter as a CSV file, up to 10,000. */
export const SaveAsCsv = ({ filter }: { filter: Query }) => {
  const save = useMutation({
    mutationFn: async () => {
      const rows = (await readAll(filter)).map((entry) =>
        columns.map((name) => cell(entry[name] as string | null)).join(','),
      );
      const blob = new Blob([`${columns.join(',')}\r\n${rows.join('\r\n')}\r\n`], { type: 'text/csv' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'activity.csv';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
  });
  return (
    <>
      {save.error ? <ProblemNote error={save.error} /> : null}
      <Button
        variant="default"
        loading={save.isPending}
        leftSection={<Icon name="download" />}
        onClick={() => save.mutate()}
      >
        CSV
      </Button>
    </>
  );
};
