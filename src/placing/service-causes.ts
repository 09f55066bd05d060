/** Why nothing is sent for an account: a fault of its service or of the connection, or a pause that somebody asked for. */
export const pauseCodes = [
  'host_unknown',
  'connection_refused',
  'host_unreachable',
  'certificate_expired',
  'certificate_untrusted',
  'certificate_of_another_host',
  'tls_failed',
  'service_unreachable',
  'not_answering',
  'credential_refused',
  'proxy_sign_in',
  'web_page',
  'redirected',
  'not_this_service',
  'rate_limited',
  'restored',
  'operator',
] as const;
export type PauseCode = (typeof pauseCodes)[number];

interface ServiceCause {
  meaning: string;
  /** For people with a shell on the machine; NAME is the account. */
  advice: string;
  /** For people with only a browser. */
  remedy: string;
  /** Ends without a person, and nobody can end it earlier. */
  endsAlone?: true;
}

const thenResume = 'Cartwright retries automatically; resume the account to try now.';
const askOperator = `Ask the operator of the service. ${thenResume}`;
const askAdmin = (what: string) => `Ask the administrator of Cartwright to ${what}, then resume the account.`;

/**
 * The only table of causes; `status`, `doctor`, the console and messages take their advice from it. The transport names the cause by its
 * code, because error texts come from Node and OpenSSL, and change with their versions.
 */
const causes: Record<PauseCode, ServiceCause> = {
  host_unknown: {
    meaning: 'No host has the name that is in the address of the service.',
    advice: 'Correct the host name in accounts.NAME.baseUrl, or the name resolution (DNS) of this machine.',
    remedy: askAdmin('check the host name of the service'),
  },
  connection_refused: {
    meaning: 'Nothing listens at the address of the service.',
    advice: 'Have the service started, or correct host and port in accounts.NAME.baseUrl.',
    remedy: `Ask the operator of the service whether it is running. ${thenResume}`,
  },
  host_unreachable: {
    meaning: 'The network does not lead to the host of the service.',
    advice: 'Check the network, VPN and firewall between this machine and the service.',
    remedy: askAdmin('check the network to the service'),
  },
  certificate_expired: {
    meaning: 'The certificate of the service has expired.',
    advice: 'Ask the operator of the service to renew it; nothing has to be changed here.',
    remedy: `Ask the operator of the service to renew its certificate. ${thenResume}`,
  },
  certificate_untrusted: {
    meaning: 'The certificate of the service is not signed by an authority that this machine trusts.',
    advice:
      'If the authority is your own, set the environment variable NODE_EXTRA_CA_CERTS to its certificate and restart Cartwright. Otherwise ask the operator of the service: something else may answer in its place.',
    remedy: askAdmin('check the certificate of the service'),
  },
  certificate_of_another_host: {
    meaning: 'The certificate of the service is for another host name.',
    advice:
      'Write the host name of the certificate into accounts.NAME.baseUrl, or ask the operator of the service for a certificate of its name.',
    remedy: askAdmin('check the host name of the service'),
  },
  tls_failed: {
    meaning: 'What listens at the address of the service does not speak TLS as it should.',
    advice: 'Check the port in accounts.NAME.baseUrl, and whether it must begin with http:// or https://.',
    remedy: askAdmin('check the address of the service'),
  },
  service_unreachable: {
    meaning: 'No connection to the service could be made.',
    advice: 'Check that the service is running, and the network and firewall on the way to it.',
    remedy: `Ask the operator of the service whether it is running. ${thenResume}`,
  },
  not_answering: {
    meaning: 'The service can be reached, and answers no call as it should.',
    advice: 'Ask the operator of the service; its log shows why. Cartwright retries automatically.',
    remedy: askOperator,
  },
  credential_refused: {
    meaning: 'The service refused the credential of the account.',
    advice:
      'Check accounts.NAME.auth and the environment variable that it names, and restart Cartwright if the variable has changed.',
    remedy: askAdmin('renew the login of the account'),
  },
  proxy_sign_in: {
    meaning: 'A proxy between this machine and the service asks for a sign-in.',
    advice: 'Let calls to the host of accounts.NAME.baseUrl pass the proxy without one, or go around it.',
    remedy: askAdmin('check the proxy between Cartwright and the service'),
  },
  web_page: {
    meaning: 'A web page answers in place of the service, as that of a proxy or of a sign-in.',
    advice:
      'Open accounts.NAME.baseUrl from this machine, for example with curl, and see whose page it is: correct the address, or let calls pass the proxy.',
    remedy: askAdmin('see whose page it is'),
  },
  redirected: {
    meaning: 'The service sends its callers to another address.',
    advice: 'Write the new address into accounts.NAME.baseUrl; redirects are not followed.',
    remedy: askAdmin('correct the address of the service'),
  },
  not_this_service: {
    meaning: 'What answers at the address is not a dealer order service, or is one below another path.',
    advice:
      'Correct the path in accounts.NAME.baseUrl: the calls of the interface are made directly below it.',
    remedy: askAdmin('check the address of the service'),
  },
  rate_limited: {
    meaning: 'The service asked for this pause (429), and it ends automatically.',
    advice:
      'If it comes often, ask the operator of the service about its rate limit, or set accounts.NAME.callsPerSecond.',
    remedy:
      'The service asked for this pause, and it ends automatically. If it comes often, ask the operator of the service about its rate limit.',
    endsAlone: true,
  },
  restored: {
    meaning: 'The ledger was restored from a backup, and calls from before may still take effect.',
    advice: 'Nothing: it ends within minutes.',
    remedy:
      'Calls from before the backup may still take effect. The pause ends within minutes, without any action.',
    endsAlone: true,
  },
  operator: {
    meaning: 'A person paused the account.',
    advice: 'Resume it in the console or with `cartwright accounts resume NAME`.',
    remedy: 'Nothing new begins until a person resumes it.',
  },
};

/** Why nothing is sent for an account and what to do; a general text for the code of another version. Pure. */
export const serviceCause = (code: string, account: string): ServiceCause => {
  const known = causes[code as PauseCode] ?? causes.service_unreachable;
  return { ...known, advice: known.advice.replaceAll('NAME', () => account) };
};
