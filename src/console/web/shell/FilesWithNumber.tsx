import { Button } from '@mantine/core';
import { useState } from 'react';
import type { FilesAnswer } from '../../../api-contract/search.ts';
import { ProblemNote } from '../components/page-parts.tsx';
import { ImportLink, UntrustedText } from '../components/text.tsx';
import { formatCountOf } from '../data/format.ts';
import { useRead } from '../data/request.ts';

interface FilesWithNumberProps {
  q: string;
  onClose: () => void;
}

/** For a number without a PO: searches files in inboxes, and waiting, refused or read files that skipped it. */
export const FilesWithNumber = ({ q, onClose }: FilesWithNumberProps) => {
  const [asked, setAsked] = useState('');
  const files = useRead<FilesAnswer>(['search-files', asked], '/search/files', {
    query: { po: asked },
    enabled: asked !== '',
  });
  if (asked !== q) {
    return (
      <Button size="xs" variant="default" onClick={() => setAsked(q)}>
        Look for this PO number in files that are not read
      </Button>
    );
  }
  if (files.error) return <ProblemNote error={files.error} />;
  if (!files.data) return <span className="dim">Looking into files …</span>;
  const { found, similar, looked, notLooked } = files.data;
  return (
    <div className="stack-tight" role="status">
      {found.map(({ account, fileName, importId, rows, why }) => (
        <p key={`${account} ${fileName} ${importId}`}>
          {importId === null ? (
            <UntrustedText text={fileName} />
          ) : (
            <ImportLink id={importId} name={fileName} onClick={onClose} />
          )}{' '}
          <span className="dim">
            ({account}, {rows.length === 0 ? 'in its name' : `row ${rows.join(', ')}`}):{' '}
          </span>
          <UntrustedText text={why} />
        </p>
      ))}
      {similar.length === 0 ? null : (
        <p>
          Similar:{' '}
          {similar.map(({ account, poNumber, state }) => (
            <span key={`${account} ${poNumber}`}>
              <UntrustedText text={poNumber} />{' '}
              <span className="dim">
                ({account}, {state}){' '}
              </span>
            </span>
          ))}
        </p>
      )}
      <p className="dim small">
        {found.length === 0 ? 'No file has it. ' : ''}
        {formatCountOf(looked, 'file was', 'files were')} looked into
        {notLooked === 0 ? '' : `, ${formatCountOf(notLooked, 'file')} could not be`}.
      </p>
    </div>
  );
};
