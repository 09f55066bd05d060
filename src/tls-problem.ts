// OpenSSL's and Node's codes of certificate problems.
export const untrustedCertificates: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Explains a problem with a server's certificate or with TLS itself, and what to change; undefined for other errors.
 *
 * @param authority the parameter of the address for a certificate authority's file, such as `sslrootcert=/path/ca.pem`
 */
export const tlsProblem = (
  error: unknown,
  { authority, scheme }: { authority: string; scheme: string },
): string | undefined => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (untrustedCertificates.has(code)) {
    return `its certificate is not signed by an authority that this machine trusts. Add ${authority} to the address, or set NODE_EXTRA_CA_CERTS`;
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired. Renew it on the server';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'its certificate is for another host name. Write the name of the certificate into the address';
  }
  if (code.startsWith('ERR_SSL_') || /SSL routines|does not support SSL/.test(message)) {
    return `no TLS connection could be made. Check port and ${scheme}`;
  }
  return undefined;
};
