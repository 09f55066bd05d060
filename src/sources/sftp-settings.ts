/** A server, and how to sign in to it. */
export interface SftpServer {
  host: string;
  port: number;
  user: string;
  /** `SHA256:…`, as ssh-keygen shows them; one of them must be the server's. */
  hostKeys: readonly string[];
  auth:
    | { kind: 'password'; password: string }
    | { kind: 'key'; privateKey: string; passphrase: string | undefined };
  /** Timeout of connecting, and of each answer. */
  timeoutMs: number;
}

/** An account's exchange of files with its dealer's server. */
export interface SftpSettings {
  /** `HOST:PORT`, for people. */
  name: string;
  /** Undefined: a secret is missing, and `problem` says which. */
  server: SftpServer | undefined;
  problem: string | undefined;
  everyMs: number;
  fetch: { folder: string; doneFolder: string } | undefined;
  /** Folders at the server; undefined: these are not delivered. */
  deliver: { results: string | undefined; reports: string | undefined };
}

/** `HOST:PORT`. */
export const serverName = ({ host, port }: { host: string; port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
