import { createHmac } from 'node:crypto';
import type { Message, Sent } from '../types.ts';
import type { MessageText } from '../write-text.ts';
import { type PostOptions, postJson } from './post-json.ts';

/**
 * The signature of a body at a time, as hexadecimal HMAC-SHA256 of `TIMESTAMP.BODY`.
 *
 * @internal also used by tests
 */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Posts a message as signed JSON. The id is the same for each try, so that the receiver can deduplicate; the timestamp is
 * that of the try, so that it can refuse old requests. Never throws.
 */
export const sendWebhook = (
  { url, secret }: { url: string; secret: string },
  { id, createdAt, sections }: Message,
  { subject, severity, paragraphs }: MessageText,
  options: Pick<PostOptions, 'timeoutMs'> = {},
): Promise<Sent> => {
  const text = paragraphs.map(({ heading, lines }) => [heading, ...lines].join('\n')).join('\n\n');
  const body = JSON.stringify({
    id,
    createdAt: createdAt.toISOString(),
    severity,
    subject,
    text,
    events: sections,
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  return postJson(url, body, {
    ...options,
    headers: {
      'cartwright-id': id,
      'cartwright-timestamp': timestamp,
      'cartwright-signature': `v1=${signatureOf(secret, timestamp, body)}`,
    },
  });
};
