import { Button } from '@mantine/core';
import type { OfferedAction } from '../../api/schemas/basics.ts';
import type { PoFilter } from '../../api/schemas/purchase-orders.ts';
import { useDialog } from '../components/DialogHost.tsx';
import { later } from '../components/later.tsx';
import { useMayAct } from '../data/session.ts';

const BulkDialog = later(() => import('./BulkDialog.tsx'));

interface BulkButtonsProps {
  offered: readonly OfferedAction[];
  filter: PoFilter;
  size?: 'xs' | 'sm';
}

/** The actions that all POs of a filter can be given. People who may not act do not see them. */
export const BulkButtons = ({ offered, filter, size = 'xs' }: BulkButtonsProps) => {
  const openDialog = useDialog();
  if (!useMayAct() || offered.length === 0) return null;
  return (
    <div className="row">
      {offered.map((one, index) => (
        <Button
          key={one.action}
          size={size}
          variant={index === 0 ? 'filled' : 'default'}
          onClick={() => openDialog((close) => <BulkDialog offered={one} filter={filter} onClose={close} />)}
        >
          {one.label} …
        </Button>
      ))}
    </div>
  );
};
