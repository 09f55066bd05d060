import type { EventKind, Severity } from './kinds.ts';

/** Where messages go, and which. */
export interface Route {
  name: string;
  channel:
    | { kind: 'email'; to: readonly string[]; smtp: SmtpSettings }
    | { kind: 'webhook'; url: string; secret: string }
    | { kind: 'slack' | 'teams'; url: string }
    /** Nothing can be sent, because an environment variable is not set; `message` says which. */
    | { kind: 'unusable'; message: string };
  /** Undefined: all. */
  accounts: readonly string[] | undefined;
  severity: Severity;
  /** Exactly these kinds, whatever their severity. */
  events: readonly EventKind[] | undefined;
  timeZone: string;
  /** Minutes of the day. */
  quietHours: { from: number; to: number } | undefined;
  /** A cron pattern. */
  summary: string | undefined;
  /** It sends a dealer his files, and nothing else that we know. */
  answers?: true;
}

export interface SmtpSettings {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  /** Absolute path of a PEM file. */
  ca: string | undefined;
  user: string | undefined;
  password: string | undefined;
  from: string;
}

export interface NotificationSettings {
  routes: readonly Route[];
  digestMs: number;
  pausedForMs: number;
  pollsLateAfterMs: number;
  giveUpAfterMs: number;
  /** Where the files of accounts are put, in words; default: into inbox/. */
  dropPlaces?: ReadonlyMap<string, string> | undefined;
  /** Address of the console for links in messages; undefined: no links. */
  consoleUrl: string | undefined;
  /** What must never be in a message or an error: every secret that this process knows. */
  secrets: readonly string[];
}
