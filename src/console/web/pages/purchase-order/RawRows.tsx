import { Button } from '@mantine/core';
import { useState } from 'react';
import type { RawRowsAnswer } from '../../../../api-contract/purchase-orders.ts';
import { PartPager } from '../../components/Pager.tsx';
import { LoadFailed, LoadingRows, Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { useRead } from '../../data/request.ts';
import css from './RawRows.module.css';

/** A file can have many columns, so show few rows at once. */
const rowsAtOnce = 20;

const Rows = ({ id }: { id: string }) => {
  const [from, setFrom] = useState(0);
  const rows = useRead<RawRowsAnswer>(['raw-rows', id], `/purchase-orders/${id}/rows`, {
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (rows.error) return <LoadFailed error={rows.error} onRetry={rows.refetch} />;
  if (!rows.data) return <LoadingRows rows={3} />;
  const { header, rows: found, why } = rows.data;
  if (why) return <p className="dim">{why}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={css.scroll} tabIndex={0} aria-label="Rows of the file">
        <table className={css.table}>
          {header ? (
            <thead>
              <tr>
                <th scope="col">Row</th>
                {header.map((name, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have one name.
                  <th key={index} scope="col">
                    <UntrustedText as="line" text={name} />
                  </th>
                ))}
              </tr>
            </thead>
          ) : null}
          <tbody>
            {found.slice(from, from + rowsAtOnce).map(({ rowNumber, cells }) => (
              <tr key={rowNumber}>
                <th scope="row">{rowNumber}</th>
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
                  <td key={index}>
                    <UntrustedText as="line" text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {found.length > rowsAtOnce ? (
        <PartPager label="the rows" from={from} size={rowsAtOnce} total={found.length} onFrom={setFrom} />
      ) : null}
    </>
  );
};

/** The dealer's original rows. Read from the file only on request. */
export const RawRows = ({ id }: { id: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Rows of the file">
      {isOpen ? (
        <Rows id={id} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            Show the rows as they were sent
          </Button>
        </div>
      )}
    </Panel>
  );
};
