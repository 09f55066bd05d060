import type { EventKind, Severity } from './kinds.ts';

/** A target of messages, and the choice of its messages. */
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
  /** Exactly these kinds, regardless of their severity. */
  events: readonly EventKind[] | undefined;
  timeZone: string;
  /** Minutes of the day. */
  quietHours: { from: number; to: number } | undefined;
  /** A cron pattern. */
  summary: string | undefined;
  /** Sends dealers their files, and no other information. */
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
  /** Where to put the files of accounts, in words; default: into inbox/. */
  dropPlaces?: ReadonlyMap<string, string> | undefined;
  /** Address of the console for links in messages; undefined: no links. */
  consoleUrl: string | undefined;
  /** Every secret that this process knows; none may appear in a message or an error. */
  secrets: readonly string[];
}
