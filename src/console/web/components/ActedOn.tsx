import type { ActivityEntry } from '../../api/schemas/activity.ts';
import { poName } from '../data/po-name.ts';
import { AccountLink, ImportLink, PoLink } from './links.tsx';
import { UntrustedText } from './UntrustedText.tsx';

/** What an entry of the activity is about. */
export const ActedOn = ({ entry }: { entry: ActivityEntry }) => {
  const { purchaseOrderId, poNumber, importId, fileName, account, detail } = entry;
  const named = [detail?.user, detail?.token, detail?.view].find((one) => typeof one === 'string');
  return (
    <>
      {purchaseOrderId && poNumber ? <PoLink id={purchaseOrderId} name={poName(poNumber)} /> : null}
      {purchaseOrderId && importId ? ' in ' : ''}
      {importId ? <ImportLink id={importId} name={fileName ?? `import ${importId}`} /> : null}
      {!purchaseOrderId && !importId && account ? <AccountLink account={account} /> : null}
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
