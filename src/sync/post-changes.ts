import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { messageOf, plainCause } from '../errors.ts';
import type { CloudEvent } from './change.ts';
import { isPrivateAddress, lookupPublic, PrivateAddress } from './private-address.ts';
import type { SyncWebhook } from './webhook.ts';

export type Posted = { kind: 'confirmed' } | { kind: 'failed'; message: string };

const limitMs = 15_000;

const whsec = /^whsec_([A-Za-z0-9+/=]+)$/;

/** A secret that begins with `whsec_` is base64, as in the specification; any other is used verbatim. */
const keyOf = (secret: string): Buffer => {
  const encoded = whsec.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
};

/**
 * The signature of a request according to Standard Webhooks: `v1,` and the HMAC-SHA256 of `ID.TIMESTAMP.BODY` in base64. Pure.
 *
 * @internal also used by tests
 */
export const signatureOf = (secret: string, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

const refused = (host: string): Posted => ({
  kind: 'failed',
  message: `${host} is an address of a private network or of this machine. Set allowPrivate for this webhook if it is meant`,
});

/**
 * Posts signed changes to a webhook and reads only the status of the answer. Follows no redirect. Never throws. Refuses private addresses
 * unless the webhook allows them.
 *
 * @param limit how long to wait for the answer, in milliseconds
 */
export const postChanges = (
  { url, secret, batch, allowPrivate }: Pick<SyncWebhook, 'url' | 'secret' | 'batch' | 'allowPrivate'>,
  events: readonly CloudEvent[],
  limit = limitMs,
): Promise<Posted> => {
  const target = new URL(url);
  const { host, protocol } = target;
  const name = target.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(name) !== 0 && isPrivateAddress(name)) return Promise.resolve(refused(host));
  const body = JSON.stringify(batch === 1 ? events[0] : events);
  const id = batch === 1 ? events[0]!.id : `${events[0]!.id}-${events.length}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  return new Promise((resolve) => {
    const fail = (message: string) => resolve({ kind: 'failed', message });
    const request = (protocol === 'https:' ? https : http).request(target, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type':
          batch === 1
            ? 'application/cloudevents+json; charset=utf-8'
            : 'application/cloudevents-batch+json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'cartwright',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        ...(secret === undefined ? {} : { 'webhook-signature': signatureOf(secret, id, timestamp, body) }),
      },
      ...(allowPrivate ? {} : { lookup: lookupPublic }),
      signal: AbortSignal.timeout(limit),
    });
    request.once('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      // The answer's body is not needed, and may be endless.
      answer.destroy();
      if (status >= 200 && status < 300) resolve({ kind: 'confirmed' });
      else if (status >= 300 && status < 400)
        fail(
          `${host} redirects (${status}), and redirects are not followed. Check the address of the webhook`,
        );
      else fail(`${host} answered with status ${status}`);
    });
    request.once('error', (error) => {
      if (error instanceof PrivateAddress) resolve(refused(host));
      else if (error.name === 'AbortError' || error.name === 'TimeoutError')
        fail(`${host} did not answer within ${limit / 1000} s`);
      else fail(`${host} cannot be reached: ${plainCause(messageOf(error))}`);
    });
    request.end(body);
  });
};
