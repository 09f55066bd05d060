import type { Sent } from '../types.ts';
import type { MessageText } from '../write-text.ts';
import { postJson } from './post-json.ts';

const mark = { info: 'ℹ️', warning: '⚠️', alarm: '🚨' };

/** Slack reads <…> as links and mentions. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Cards read Markdown: a file name must not become a link or a heading. */
const forTeams = (text: string): string => text.replace(/[\\`*_[\]()#>~|]/g, '\\$&');

const slackBody = ({ severity, paragraphs }: MessageText): object => ({
  text: paragraphs
    .map(({ heading, lines }) =>
      [`${mark[severity]} *${forSlack(heading).replaceAll('*', '')}*`, ...lines.map(forSlack)].join('\n'),
    )
    .join('\n\n'),
});

const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });

const teamsBody = ({ severity, paragraphs }: MessageText): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: paragraphs.flatMap(({ heading, lines }) => [
          block(`${mark[severity]} ${forTeams(heading)}`, { weight: 'bolder' }),
          block(lines.map(forTeams).join('\n\n')),
        ]),
      },
    },
  ],
});

/** Posts a message to an incoming webhook of Slack or Teams. Never throws. */
export const sendChat = (
  { kind, url }: { kind: 'slack' | 'teams'; url: string },
  text: MessageText,
): Promise<Sent> => postJson(url, JSON.stringify(kind === 'slack' ? slackBody(text) : teamsBody(text)));
