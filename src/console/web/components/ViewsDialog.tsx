import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SavedView, ViewPage } from '../../../api-contract/views.ts';
import { post, request } from '../data/request.ts';
import { fromQuery } from '../data/search-params.ts';
import { useViews } from '../data/views.ts';
import { announce } from './announce.ts';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';
import { ListBody, ProblemNote } from './page-parts.tsx';
import { UntrustedText } from './text.tsx';

interface ViewsDialogProps {
  page: ViewPage;
  /** The query of the page's address. */
  search: string;
  onClose: () => void;
}

const whose = ({ shared, own, madeBy }: SavedView): string => {
  if (!shared) return 'only you';
  return own ? 'shared by you' : `shared by ${madeBy}`;
};

/** Opens, saves and removes views of a list. */
const ViewsDialog = ({ page, search, onClose }: ViewsDialogProps) => {
  const client = useQueryClient();
  const list = useViews(page);
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const onSettled = () => client.invalidateQueries({ queryKey: ['views', page] });
  const save = useMutation({
    mutationFn: () =>
      post<SavedView>('/views', {
        ...{ page, name: name.trim(), search: search.replace(/^\?/, '') },
        shared: isShared,
      }),
    onSettled,
    onSuccess: (view) => {
      setName('');
      announce(`Saved the view ${view.name}.`);
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => request(`/views/${id}`, { method: 'DELETE' }),
    onSettled,
    onSuccess: (_, view) => announce(`Removed the view ${view.name}.`),
  });
  return (
    <Dialog onClose={onClose} title="Views of this list" size={520}>
      <div className="stack">
        <ListBody
          list={list}
          empty={
            <p className="dim">
              No views yet. Set filters and an order, and save them under a name to come back to them.
            </p>
          }
        >
          {({ items }) => (
            <ul aria-label="Saved views" className="entries">
              {items.map((view) => (
                <li key={view.id} className="row">
                  <Link
                    to={`/${page}`}
                    search={fromQuery(view.search) as never}
                    className="fill"
                    onClick={onClose}
                  >
                    <UntrustedText text={view.name} />
                  </Link>
                  <span className="dim small">
                    <UntrustedText text={whose(view)} />
                  </span>
                  {view.removable ? (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Remove the view ${view.name}`}
                      loading={remove.isPending && remove.variables.id === view.id}
                      onClick={() => remove.mutate(view)}
                    >
                      Remove
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </ListBody>
        {remove.error ? <ProblemNote error={remove.error} /> : null}
        <Form className="stack-tight" onSubmit={() => save.mutate()}>
          <h3>Save what the list shows now</h3>
          <TextInput
            label="Name"
            maxLength={80}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            size="sm"
            label="Everybody who may see this list sees it"
            checked={isShared}
            onChange={(event) => setIsShared(event.currentTarget.checked)}
          />
          {save.error ? <ProblemNote error={save.error} /> : null}
          <div>
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              Save the view
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
};

export default ViewsDialog;
