import { Textarea } from '@mantine/core';

interface NoteFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Why a person does something. The ledger keeps it with the action. */
export const NoteField = ({ value, onChange }: NoteFieldProps) => (
  <Textarea
    label="Note"
    description="Optional. Shown in the timeline and under Activity."
    maxLength={500}
    rows={2}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
