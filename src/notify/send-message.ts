import { carriesFile } from './kinds.ts';
import { sendChat } from './senders/send-chat.ts';
import { sendEmail } from './senders/send-email.ts';
import { sendWebhook } from './senders/send-webhook.ts';
import type { NotificationSettings, Route } from './settings.ts';
import type { Attachment, Message, Section, Sent } from './types.ts';
import { writeAnswer } from './write-answer.ts';
import { type MessageText, withoutSecrets, writeText } from './write-text.ts';

const withoutSecretsIn = <T>(value: T, secrets: readonly string[]): T =>
  JSON.parse(
    withoutSecrets(
      JSON.stringify(value),
      secrets.map((secret) => JSON.stringify(secret).slice(1, -1)),
    ),
  );

const send = (
  { channel }: Route,
  message: Message,
  text: MessageText,
  attachments: readonly Attachment[],
): Promise<Sent> => {
  switch (channel.kind) {
    case 'email':
      return sendEmail(channel, message, text, attachments);
    case 'webhook':
      return sendWebhook(channel, message, text);
    case 'slack':
    case 'teams':
      return sendChat(channel, text);
    case 'unusable':
      return Promise.resolve({ kind: 'failed', message: channel.message });
  }
};

/**
 * Sends a message on its route. Never throws. Removes all secrets that the configuration names from the message and from the
 * sentence about a failure, in case a service or a mail server repeats them.
 */
export const sendMessage = async (
  route: Route,
  message: Message,
  { consoleUrl, secrets, dropPlaces }: Pick<NotificationSettings, 'consoleUrl' | 'secrets' | 'dropPlaces'>,
  { attachments = [], remark }: { attachments?: readonly Attachment[]; remark?: string | undefined } = {},
): Promise<Sent> => {
  const sections: Section[] = withoutSecretsIn([...message.sections], secrets);
  const { timeZone, answers = false } = route;
  const hasFiles = sections.every(({ kind }) => carriesFile(kind));
  const text =
    answers && hasFiles ? writeAnswer(sections) : writeText(sections, { timeZone, consoleUrl, dropPlaces });
  const paragraphs =
    remark === undefined ? text.paragraphs : [...text.paragraphs, { heading: remark, lines: [] }];
  const sent = await send(route, { ...message, sections }, { ...text, paragraphs }, attachments);
  return sent.kind === 'sent' ? sent : { ...sent, message: withoutSecrets(sent.message, secrets) };
};
