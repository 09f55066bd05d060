import type { IncomingHttpHeaders } from 'node:http';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can reach a server that listens at this host. */
export const isLoopback = (host: string): boolean =>
  loopbackNames.includes(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Whether a connection comes from this machine. */
export const isLoopbackAddress = (ip: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(ip);

/** Whether a request is for a name of the console. Web pages use foreign names that resolve to its address to reach it (DNS rebinding). */
export const createHostCheck = (publicUrl: string | undefined): ((host: string | undefined) => boolean) => {
  const names = new Set([
    ...loopbackNames,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ]);
  return (host) => {
    const url = `http://${host ?? ''}`;
    return host !== undefined && URL.canParse(url) && names.has(new URL(url).hostname);
  };
};

/**
 * Whether a request comes from the console's own page, a person's address bar or a program. Pages on other ports of the
 * same machine count as other sites: browsers name them in Origin or Sec-Fetch-Site.
 */
export const isOwnSite = (headers: IncomingHttpHeaders, host: string): boolean => {
  const { origin } = headers;
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) return false;
  const site = headers['sec-fetch-site'];
  const opened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return site === undefined || site === 'same-origin' || site === 'none' || opened;
};
