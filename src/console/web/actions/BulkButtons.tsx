import type { AdvisedPlace, OfferedAction } from '../../../api-contract/basics.ts';
import type { PoFilter } from '../../../api-contract/purchase-orders.ts';
import { useDialog } from '../components/Dialog.tsx';
import { lazyComponent } from '../components/later.tsx';
import { visibleText } from '../components/text.tsx';
import { useMayAct } from '../data/session.ts';
import { ActionButtons, CorrectButton, PlaceButton } from './ActionButtons.tsx';

const BulkDialog = lazyComponent(() => import('./BulkDialog.tsx'));

interface BulkButtonsProps {
  offered: readonly OfferedAction[];
  place: AdvisedPlace | null;
  filter: PoFilter;
  /** The files of these POs, if their rows can be corrected. */
  files?: readonly { importId: string; fileName: string; count: number }[];
}

/** The actions on all POs of a filter. Hidden from people who may not act. */
export const BulkButtons = ({ offered, place, filter, files = [] }: BulkButtonsProps) => {
  const openDialog = useDialog();
  if (!useMayAct() || (offered.length === 0 && place === null)) return null;
  return (
    <ActionButtons
      offered={offered}
      place={
        <>
          {files.map(({ importId, fileName }) => (
            <CorrectButton key={importId} importId={importId} size="xs">
              Correct rows of {visibleText(fileName.slice(0, 40))}
            </CorrectButton>
          ))}
          {place ? <PlaceButton place={place} size="xs" /> : null}
        </>
      }
      size="xs"
      onPick={(one) => openDialog((close) => <BulkDialog offered={one} filter={filter} onClose={close} />)}
    />
  );
};
