import type { ImportDetail } from '../../../../api-contract/imports.ts';
import { Download } from '../../components/Download.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';

const words = {
  source: 'The file as it came',
  result: 'The result: the dealer’s rows with their outcomes',
  'not-ordered':
    'What has to be corrected: only the purchase orders that were not ordered, ready to send again',
  log: 'The log: everything that happened, as JSON',
};

/** The downloads of an import. */
export const Files = ({ file: { files, account, sha256 } }: { file: ImportDetail }) => (
  <Panel title="Files" flush>
    <ul className="entries">
      {files.map(({ kind, fileName, href, available, why, writtenAt }) => (
        <li key={kind} className="row padded">
          <Icon name="file" />
          <div className="fill">
            <p>
              <UntrustedText text={fileName} />
            </p>
            <p className="dim small">
              {words[kind]}
              {writtenAt ? (
                <>
                  {' · written '}
                  <Time at={writtenAt} account={account} />
                </>
              ) : null}
            </p>
            {available ? null : <p className="small">{why}</p>}
          </div>
          {available ? (
            <Download href={href} name={`Download: ${words[kind]}`}>
              Download
            </Download>
          ) : null}
        </li>
      ))}
      <li className="padded dim small">
        SHA-256 of the source: <UntrustedText text={sha256} mono />
      </li>
    </ul>
  </Panel>
);
