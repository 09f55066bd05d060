import { useMutation } from '@tanstack/react-query';
import type { Mapping, UploadAnswer } from '../../../../api-contract/uploads.ts';
import { queryClient, showAnswer } from '../../data/query-client.ts';
import { request } from '../../data/request.ts';

interface ToSave {
  mapping: Mapping;
  /** The person continues to the preview. */
  goesOn: boolean;
}

/** Saves how an upload is read, and shows what is found then. */
export const useSaveMapping = (id: string, onSaved: (next: UploadAnswer, goesOn: boolean) => void) =>
  useMutation({
    mutationFn: ({ mapping }: ToSave) =>
      request<UploadAnswer>(`/uploads/${id}/mapping`, { method: 'PUT', body: { mapping } }),
    onSuccess: async (next, { goesOn }) => {
      await showAnswer(['uploads', id], () => next);
      void queryClient.invalidateQueries({ queryKey: ['upload-preview', id] });
      onSaved(next, goesOn);
    },
  });
