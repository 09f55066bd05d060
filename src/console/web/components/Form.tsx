import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from './page-parts.tsx';

interface FormProps {
  className?: string;
  onSubmit: () => void;
  children: ReactNode;
}

/** A form submitted by script. */
export const Form = ({ className = 'stack', onSubmit, children }: FormProps) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

interface DialogFormProps {
  run: { mutate: () => void; error: unknown; isPending: boolean };
  confirm: string;
  disabled?: boolean;
  isDangerous?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The fields of a dialog, its error, and the buttons to submit or cancel. */
export const DialogForm = ({
  run,
  confirm,
  disabled = false,
  isDangerous = false,
  onClose,
  children,
}: DialogFormProps) => (
  <Form onSubmit={() => run.mutate()}>
    {children}
    {run.error ? <ProblemNote error={run.error} /> : null}
    <div className="row">
      <Button
        type="submit"
        disabled={disabled}
        loading={run.isPending}
        color={isDangerous ? 'red' : undefined}
      >
        {confirm}
      </Button>
      <Button variant="default" onClick={onClose}>
        Do nothing
      </Button>
    </div>
  </Form>
);
