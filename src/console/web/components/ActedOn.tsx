import { Link } from '@tanstack/react-router';
import type { ActivityEntry } from '../../api/schemas/activity.ts';
import { poName } from '../data/po-name.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** What an entry of the activity is about. */
export const ActedOn = ({ entry }: { entry: ActivityEntry }) => {
  const { purchaseOrderId, poNumber, importId, fileName, account, detail } = entry;
  const named = [detail?.user, detail?.token, detail?.view].find((one) => typeof one === 'string');
  return (
    <>
      {purchaseOrderId && poNumber ? (
        <Link to="/purchase-orders/$id" params={{ id: purchaseOrderId }}>
          <UntrustedText text={poName(poNumber)} />
        </Link>
      ) : null}
      {purchaseOrderId && importId ? ' in ' : ''}
      {importId ? (
        <Link to="/imports/$id" params={{ id: importId }}>
          <UntrustedText text={fileName ?? `import ${importId}`} />
        </Link>
      ) : null}
      {!purchaseOrderId && !importId && account ? (
        <Link to="/accounts/$account" params={{ account }}>
          <UntrustedText text={account} />
        </Link>
      ) : null}
      {typeof named === 'string' ? <UntrustedText text={named} /> : null}
      {typeof detail?.assignee === 'string' ? (
        <>
          {' to '}
          <UntrustedText text={detail.assignee} />
        </>
      ) : null}
    </>
  );
};
