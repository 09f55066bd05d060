import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { RefusedRequest } from './read-body.ts';

/**
 * The path and query of a request target. The host of an absolute target, as clients send to a proxy, replaces the Host
 * header (RFC 9112, 3.2.2).
 */
export const originForm = (raw: Pick<IncomingMessage, 'url' | 'headers'>): string => {
  const target = raw.url ?? '';
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(target);
  if (!absolute) return target;
  raw.headers.host = absolute[1];
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/** Headers that must be unique: if they repeat, Node and a proxy may each keep a different one. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

const findTwice = (rawHeaders: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (seen.has(name)) return rawHeaders[at];
    if (singleHeaders.has(name)) seen.add(name);
  }
  return undefined;
};

/** @throws RefusedRequest if it is not clear what a request is for */
export const checkHead = ({ raw, headers, url }: FastifyRequest): void => {
  const refuse = (sentence: string) => {
    throw new RefusedRequest('malformed', sentence);
  };
  if (headers.host === undefined && raw.httpVersion === '1.1') refuse('The request has no Host header.');
  const twice = findTwice(raw.rawHeaders);
  if (twice !== undefined) refuse(`The request has more than one ${twice} header.`);
  if (!url.startsWith('/') && url !== '*')
    refuse('The request target must be a path, or an address that starts with http:// or https://.');
  // Everything after it would be lost.
  if (url.includes('#')) refuse('The request target contains the character "#". Write it as %23.');
};
