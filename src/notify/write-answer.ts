import { basename } from 'node:path';
import { plain } from './plain-text.ts';
import type { Section } from './types.ts';
import type { MessageText } from './write-text.ts';

const namedInSubject = 3;

/**
 * The message with a dealer's files: names without words, so that it needs no translation. Pure.
 */
export const writeAnswer = (sections: readonly Section[]): MessageText => {
  const accounts = [...new Set(sections.flatMap(({ account }) => account ?? []))];
  const files = sections.flatMap(({ first }) =>
    first.map(({ subject, detail }) => ({
      path: plain(subject),
      of: detail === null ? undefined : plain(detail),
    })),
  );
  const names = [...new Set(files.map(({ path, of }) => of ?? basename(path)))];
  const more = names.length - namedInSubject;
  return {
    subject: [
      accounts.join(', '),
      `${names.slice(0, namedInSubject).join(', ')}${more > 0 ? ` (+${more})` : ''}`,
    ].join(' – '),
    prefix: '',
    severity: 'info',
    paragraphs: [
      {
        heading: accounts.join(', '),
        lines: files.map(({ path, of }) => (of === undefined ? path : `${of} → ${path}`)),
      },
    ],
  };
};
