import { Button } from '@mantine/core';
import type { ViewPage } from '../../../api-contract/views.ts';
import { toQuery } from '../data/search-params.ts';
import { useViews } from '../data/views.ts';
import { useDialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';
import { lazyComponent } from './later.tsx';
import { visibleText } from './text.tsx';

const ViewsDialog = lazyComponent(() => import('./ViewsDialog.tsx'));

interface ViewsButtonProps {
  page: ViewPage;
  search: Record<string, string | undefined>;
}

/** Opens the saved views of a list; labelled with the current view. */
export const ViewsButton = ({ page, search }: ViewsButtonProps) => {
  const openDialog = useDialog();
  const { data } = useViews(page);
  const present = new URLSearchParams(toQuery({ ...search, cursor: undefined }));
  present.sort();
  const shown = data?.items.find((view) => {
    const saved = new URLSearchParams(view.search);
    saved.sort();
    return String(saved) === String(present);
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="filter" />}
      onClick={() =>
        openDialog((close) => (
          <ViewsDialog page={page} search={toQuery({ ...search, cursor: undefined })} onClose={close} />
        ))
      }
    >
      {shown ? `View: ${visibleText(shown.name.slice(0, 40))}` : 'Views'}
    </Button>
  );
};
