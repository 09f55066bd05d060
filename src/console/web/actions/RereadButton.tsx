import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { UploadAnswer } from '../../../api-contract/uploads.ts';
import { ProblemNote } from '../components/page-parts.tsx';
import { post } from '../data/request.ts';
import { useMayAct } from '../data/session.ts';

interface RereadButtonProps {
  importId: string;
  /** The file waits until a person says what it means, so this is the main action. */
  waits?: boolean;
}

/** Opens the file of an import in the mapping editor. */
export const useReread = (importId: string) => {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => post<UploadAnswer>(`/imports/${importId}/reread`),
    onSuccess: ({ upload }) => navigate({ to: '/upload/$id', params: { id: upload.id } }),
  });
};

/** Opens a refused or waiting file in the mapping editor. Hidden from people who may not act. */
export const RereadButton = ({ importId, waits = false }: RereadButtonProps) => {
  const reread = useReread(importId);
  if (!useMayAct()) return null;
  return (
    <div className="stack-tight">
      <Button size="xs" loading={reread.isPending} onClick={() => reread.mutate()}>
        {waits ? 'Say what it means …' : 'Read again …'}
      </Button>
      {reread.error ? <ProblemNote error={reread.error} /> : null}
    </div>
  );
};
