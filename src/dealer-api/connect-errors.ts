import type { RequestError } from 'got';
import { untrustedCertificates } from '../tls-problem.ts';
import type { ConnectCause } from './answers.ts';

/** Errors that can only occur while connecting, with what they mean. */
const connectErrors: Record<string, [cause: ConnectCause, why: string]> = {
  ECONNREFUSED: ['connection_refused', 'connection refused'],
  ENOTFOUND: ['host_unknown', 'host name not found'],
  EAI_AGAIN: ['host_unknown', 'host name lookup failed'],
  EHOSTUNREACH: ['host_unreachable', 'host unreachable'],
  ENETUNREACH: ['host_unreachable', 'network unreachable'],
  CERT_HAS_EXPIRED: ['certificate_expired', 'its certificate has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['certificate_of_another_host', 'its certificate is for another host name'],
};

/** What kept a connection from being made; undefined: something else. */
export const connectError = (code: string): [cause: ConnectCause, why: string] | undefined =>
  connectErrors[code] ??
  (untrustedCertificates.has(code)
    ? ['certificate_untrusted', 'its certificate is not trusted']
    : /^(?:ERR_SSL_|EPROTO$)/.test(code)
      ? ['tls_failed', 'no TLS connection could be made']
      : undefined);

/** A failed request in words: what kept it from being sent, or what the network said. */
export const describeError = ({ code, message, options }: RequestError): string => {
  const why = connectError(code)?.[1];
  // Without a message: the connection failed for several addresses of one host.
  if (why !== undefined || message === '') {
    const address = options.url instanceof URL ? options.url.origin : 'the service';
    return `cannot connect to ${address} (${why ?? code})`;
  }
  return message.includes(code) ? message : `${code}: ${message}`;
};
