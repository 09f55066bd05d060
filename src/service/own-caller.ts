import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.ts';

const hostnameOf = (authority: string | undefined): string => {
  const url = `http://${authority ?? ''}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
};

/**
 * Why a service without tokens refuses a request; undefined if it does not. Any web page opened on this machine could reach
 * such a service: under a foreign name that resolves to loopback, or with a cross-site request.
 *
 * @param checkHost false if other machines may call, which use other names for it
 * @param allowed the origins whose pages may call; `*` allows all
 */
export const whyNotOwn = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  { checkHost, allowed }: { checkHost: boolean; allowed: readonly string[] },
): string | undefined => {
  const { host, origin } = headers;
  if (checkHost && !isLoopback(hostnameOf(host))) {
    return 'Without dealers the service answers only under a name of loopback, such as localhost. Check the Host header.';
  }
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return undefined;
  const isOwnOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  const site = headers['sec-fetch-site'];
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isOwnOrigin && (site === undefined || site === 'same-origin' || site === 'none' || isOpened)
    ? undefined
    : 'Without dealers the service does not answer pages of other sites. Allow their origins with cors.';
};
