import type { RequestError } from 'got';
import { untrustedCertificates } from '../tls-problem.ts';
import type { ConnectCause } from './answers.ts';

/** Errors that can only occur while connecting, with their meaning. */
const connectErrors: Record<string, [cause: ConnectCause, why: string]> = {
  ECONNREFUSED: ['connection_refused', 'connection refused'],
  ENOTFOUND: ['host_unknown', 'host name not found'],
  EAI_AGAIN: ['host_unknown', 'host name lookup failed'],
  EHOSTUNREACH: ['host_unreachable', 'host unreachable'],
  ENETUNREACH: ['host_unreachable', 'network unreachable'],
  CERT_HAS_EXPIRED: ['certificate_expired', 'its certificate has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['certificate_of_another_host', 'its certificate is for another host name'],
};

/** The meaning of an error that prevented a connection; undefined for other errors. */
export const connectError = (code: string): [cause: ConnectCause, why: string] | undefined =>
  connectErrors[code] ??
  (untrustedCertificates.has(code)
    ? ['certificate_untrusted', 'its certificate is not trusted']
    : /^(?:ERR_SSL_|EPROTO$)/.test(code)
      ? ['tls_failed', 'no TLS connection could be made']
      : undefined);

/** Describes a failed request: what prevented sending it, or the network's message. */
export const describeError = ({ code, message, options }: RequestError): string => {
  const why = connectError(code)?.[1];
  // The message is empty if the connection failed for several addresses of one host.
  if (why !== undefined || message === '') {
    const address = options.url instanceof URL ? options.url.origin : 'the service';
    return `cannot connect to ${address} (${why ?? code})`;
  }
  return message.includes(code) ? message : `${code}: ${message}`;
};
