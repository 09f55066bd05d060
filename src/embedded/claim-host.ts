import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import type { Host } from './find-host.ts';
import { clusterOf } from './initialise-cluster.ts';
import { readServerActivity } from './server-activity.ts';
import { heartbeatMs } from './server-heartbeat.ts';
import type { ServerLocation } from './server-location.ts';

/**
 * How long another host's server must show no activity before it counts as dead. The server writes a heartbeat every
 * two seconds; network file systems may show it to other hosts up to a minute late.
 */
export const takeoverMs = 60_000;

const checkEveryMs = 250;
const notifyEveryMs = 15_000;

/** The content of the file `host` beside the cluster: which host runs the server. */
interface HostNote extends Host {
  /** Identifies the process that started the server or is about to. */
  token: string;
  /** Counts up while the server starts; once it runs, it writes `heartbeat` itself. */
  beat: number;
}

const noteFileOf = (location: ServerLocation): string => path.join(location.home, 'host');

const readText = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

const parseNote = (text: string | undefined): HostNote | undefined => {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as HostNote;
  } catch {
    return { id: 'unknown', name: 'unknown', token: '', beat: 0 };
  }
};

/** The host that runs the server, or ran it last without shutting it down; undefined if there is none. */
export const readHost = async (location: ServerLocation): Promise<Host | undefined> =>
  parseNote(await readText(noteFileOf(location)));

const inUse = (location: ServerLocation, host: Host | undefined): UserError =>
  new UserError(
    'embedded_other_host',
    `The built-in database in ${location.home} is running on another host${host ? ` (${host.name})` : ''}, and only one host at a time can use it. To use this data folder from several hosts or containers, set DATABASE_URL to a Postgres that all of them can reach. To move the database to this host, stop Cartwright on the other host first.`,
  );

/** The right to start the server on this host. */
export interface HostClaim {
  /** Shows other hosts that the server is starting; false if another host has taken the claim. */
  beat(): Promise<boolean>;
}

export interface ClaimOptions {
  location: ServerLocation;
  host: Host;
  takeoverMs: number;
  /** Called with a message for the user while this waits for another host: at once, then every 15 seconds. */
  onWaiting: (message: string) => void;
  isCancelled: () => boolean;
}

/** Creates the note only if there is none: link() is atomic on network file systems too. */
const createNote = async (location: ServerLocation, note: HostNote): Promise<boolean> => {
  const draft = `${noteFileOf(location)}.${note.token}`;
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    await link(draft, noteFileOf(location));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Removes the note if it is still the one that was read; if several hosts try at once, only one succeeds. */
const removeNote = async (location: ServerLocation, seen: string): Promise<boolean> => {
  const aside = `${noteFileOf(location)}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(noteFileOf(location), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const isSeen = (await readText(aside)) === seen;
  if (!isSeen) await link(aside, noteFileOf(location)).catch(() => {});
  await rm(aside, { force: true });
  return isSeen;
};

/** Replaces the note that was read; false if it is no longer there. */
const replaceNote = async (location: ServerLocation, seen: string, note: HostNote): Promise<boolean> =>
  (await removeNote(location, seen)) && (await createNote(location, note));

/** Whether the server showed no activity for `takeoverMs`; returns at the first sign of it. */
const isSilent = async (options: ClaimOptions, other: Host | undefined): Promise<boolean> => {
  const { location, onWaiting } = options;
  const before = await readServerActivity(location);
  const beganAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const leftMs = beganAt + options.takeoverMs - performance.now();
    if (leftMs <= 0) return true;
    if (options.isCancelled()) throw new UserError('embedded_cancelled', 'The start was cancelled.');
    if (performance.now() - toldAt >= notifyEveryMs) {
      toldAt = performance.now();
      const whose = other
        ? ` (${other.name}: another machine or container, or this one before a restart)`
        : '';
      onWaiting(
        `The built-in database in ${location.home} was not shut down by the host that ran it last${whose}. Starting it here in ${Math.ceil(leftMs / 1000)} s, unless that host is still active.`,
      );
    }
    await sleep(Math.min(checkEveryMs, leftMs));
    if ((await readServerActivity(location)) !== before) return false;
  }
};

/**
 * Claims the server for this host. Postgres prevents two servers on one cluster only among processes that see the same
 * process ids, which means on one host; this claim decides between hosts.
 *
 * @throws UserError `embedded_other_host` if another host's server is running
 */
export const claimHost = async (options: ClaimOptions): Promise<HostClaim> => {
  const { location, host } = options;
  const noteFile = noteFileOf(location);
  const pidFile = path.join(clusterOf(location), 'postmaster.pid');
  const note: HostNote = { ...host, token: randomBytes(6).toString('hex'), beat: 0 };
  const beat = async (): Promise<boolean> => {
    const text = await readText(noteFile);
    const now = parseNote(text);
    // Another process of this host may have taken over the claim: Postgres decides between the two.
    if (now?.token !== note.token) return now?.id === host.id;
    note.beat += 1;
    return replaceNote(location, text!, note);
  };
  const claimed: HostClaim = { beat };
  for (;;) {
    const seen = await readText(noteFile);
    const other = parseNote(seen);
    if (seen !== undefined && other?.id === host.id) {
      if (await replaceNote(location, seen, note)) return claimed;
      continue;
    }
    const pidText = await readText(pidFile);
    if (seen === undefined && pidText === undefined) {
      // Postgres removes its pid file last, so no server is running or starting.
      if (await createNote(location, note)) return claimed;
      continue;
    }
    if (!(await isSilent(options, other))) {
      const now = parseNote(await readText(noteFile));
      const wasStopped = now === undefined && (await readText(pidFile)) === undefined;
      if (now?.id === host.id || wasStopped) continue;
      throw inUse(location, now ?? other);
    }
    if (seen !== undefined && !(await removeNote(location, seen))) continue;
    // The process id in the file belongs to another host. If that server was only frozen, it shuts down when it
    // continues, because its pid file is missing.
    if (pidText !== undefined && (await readText(pidFile)) === pidText) await rm(pidFile, { force: true });
    if (await createNote(location, note)) return claimed;
  }
};

/** Checks regularly that this host still has the claim of its running server; calls `onTaken` once if not. */
export const guardHost = (
  location: ServerLocation,
  host: Host,
  onTaken: () => void,
): { stop(): Promise<void> } => {
  let checking: Promise<void> = Promise.resolve();
  const check = async (): Promise<void> => {
    const now = parseNote(await readText(noteFileOf(location)));
    if (now === undefined)
      await createNote(location, { ...host, token: randomBytes(6).toString('hex'), beat: 0 });
    else if (now.id !== host.id) {
      clearInterval(timer);
      onTaken();
    }
  };
  const timer = setInterval(() => {
    checking = checking.then(check).catch(() => {});
  }, heartbeatMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await checking;
    },
  };
};

/**
 * Stops the server with `stop` and releases the claim, so that another host can start the server at once. Does nothing
 * if another host has the claim, because the process id in the pid file is then not of this host.
 */
export const stopClaimed = async (
  location: ServerLocation,
  host: Host,
  stop: () => Promise<boolean>,
): Promise<void> => {
  const text = await readText(noteFileOf(location));
  const before = parseNote(text);
  if (before !== undefined && before.id !== host.id) return;
  if (!(await stop())) return;
  const now = parseNote(await readText(noteFileOf(location)));
  // Another process of this host may have claimed it meanwhile to start it again.
  if (now?.token === before?.token) await rm(noteFileOf(location), { force: true });
};
