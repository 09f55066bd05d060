import { changeKinds } from '../../src/sync/change.ts';
import { fillGenerated, markdownTable } from './generated.ts';

/** docs/sync.md with its generated part updated. */
export const renderSyncPage = (page: string): string =>
  fillGenerated(page, {
    'change kinds': markdownTable(
      ['type', 'meaning'],
      Object.entries(changeKinds).map(([kind, meaning]) => [`\`cartwright.${kind}\``, meaning]),
    ),
  });
