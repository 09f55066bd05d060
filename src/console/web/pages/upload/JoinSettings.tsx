import { NativeSelect, TextInput } from '@mantine/core';
import type { Mapping } from '../../../api/schemas/uploads.ts';

type Join = NonNullable<Mapping['join']>;

interface JoinSettingsProps {
  join: Join;
  sheets: readonly string[];
  onChange: (next: Join) => void;
}

const words = {
  orders: { sheet: 'Sheet of the orders', column: 'Column with the number of the order there' },
  lines: { sheet: 'Sheet of their lines', column: 'Column with the number of the order of a line' },
} as const;

/** Orders in one sheet and their lines in another, and the column by which they belong together. */
export const JoinSettings = ({ join, sheets, onChange }: JoinSettingsProps) => {
  const by = typeof join.by === 'string' ? { orders: join.by, lines: join.by } : join.by;
  return (['orders', 'lines'] as const).map((part) => (
    <div key={part} className="stack-tight">
      <NativeSelect
        label={words[part].sheet}
        data={[...sheets]}
        value={join[part]}
        onChange={(event) => onChange({ ...join, by, [part]: event.currentTarget.value })}
      />
      <TextInput
        key={by[part]}
        label={words[part].column}
        defaultValue={by[part]}
        onBlur={(event) => {
          const column = event.currentTarget.value.trim();
          if (column !== '' && column !== by[part]) onChange({ ...join, by: { ...by, [part]: column } });
        }}
      />
    </div>
  ));
};
