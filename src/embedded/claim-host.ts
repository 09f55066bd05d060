import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { heartbeatMs } from '../ledger/server-heartbeat.ts';
import type { Host } from './find-host.ts';
import { clusterOf } from './initialise.ts';
import type { Place } from './place.ts';
import { signsOfLife } from './signs-of-life.ts';

/**
 * How long nothing of another host's server may change before it counts as dead. The server shows a sign of life
 * every two seconds; network file systems may show it to others up to a minute late.
 */
export const takeoverMs = 60_000;

const lookEveryMs = 250;
const tellEveryMs = 15_000;

/** What the file `host` beside the cluster says: which host runs the server. */
interface HostNote extends Host {
  /** Of the process that started the server, or is about to. */
  token: string;
  /** Counts while the server starts; once it runs it writes `heartbeat` itself. */
  beat: number;
  /** Where the server listens on loopback: a server that ended may leave nothing else that says so. */
  port?: number | undefined;
}

const noteFileOf = (place: Place): string => path.join(place.home, 'host');

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

/** Which host runs the place's server, or ran it last and did not shut it down; undefined where none does. */
export const readHost = async (place: Place): Promise<Host | undefined> =>
  parseNote(await readText(noteFileOf(place)));

const inUse = (place: Place, host: Host | undefined): UserError =>
  new UserError(
    'embedded_other_host',
    `The built-in database in ${place.home} is running on another host${host ? ` (${host.name})` : ''}, and it serves one host only. To use this data folder from several hosts or containers, set DATABASE_URL to a Postgres that all of them can reach. To move it to this host, stop Cartwright on the other one first.`,
  );

/** The right to start the place's server on this host. */
export interface HostClaim {
  /** Where the host's last server listened: its owners may wait for it there. */
  lastPort: number | undefined;
  /** Notes where the server is going to listen; false as for `beat`. */
  choosePort(port: number): Promise<boolean>;
  /** Shows that the server is being started; false when another host has the claim now. */
  beat(): Promise<boolean>;
}

export interface ClaimOptions {
  place: Place;
  host: Host;
  takeoverMs: number;
  /** Called with a sentence for people when this has to wait, and again every 15 seconds. */
  tell: (sentence: string) => void;
  isCancelled: () => boolean;
}

/** Puts a note there only if none is there: link() is atomic on network file systems too. */
const putNew = async (place: Place, note: HostNote): Promise<boolean> => {
  const draft = `${noteFileOf(place)}.${note.token}`;
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    await link(draft, noteFileOf(place));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Takes away the note that was seen, and no other: of several hosts that do so at once, one succeeds. */
const takeAway = async (place: Place, seen: string): Promise<boolean> => {
  const aside = `${noteFileOf(place)}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(noteFileOf(place), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const isSeen = (await readText(aside)) === seen;
  if (!isSeen) await link(aside, noteFileOf(place)).catch(() => {});
  await rm(aside, { force: true });
  return isSeen;
};

/** Puts a note in place of the one that was seen; false when that one was not there any more. */
const swap = async (place: Place, seen: string, note: HostNote): Promise<boolean> =>
  (await takeAway(place, seen)) && (await putNew(place, note));

/** Whether nothing of the server changed for `takeoverMs`; returns at the first change. */
const isSilent = async (options: ClaimOptions, other: Host | undefined): Promise<boolean> => {
  const { place, tell } = options;
  const before = await signsOfLife(place);
  const beganAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const leftMs = beganAt + options.takeoverMs - performance.now();
    if (leftMs <= 0) return true;
    if (options.isCancelled()) throw new UserError('embedded_cancelled', 'The start was called off.');
    if (performance.now() - toldAt >= tellEveryMs) {
      toldAt = performance.now();
      const whose = other
        ? ` (${other.name}: another machine or container, or this one before a restart)`
        : '';
      tell(
        `The built-in database in ${place.home} was not shut down by the host that ran it last${whose}. Starting it here in ${Math.ceil(leftMs / 1000)} s unless that host shows a sign of life.`,
      );
    }
    await sleep(Math.min(lookEveryMs, leftMs));
    if ((await signsOfLife(place)) !== before) return false;
  }
};

/**
 * Claims the place's server for this host. Postgres keeps two servers off one cluster only where both see the same
 * process numbers: it still decides between processes of one host, and this decides between hosts.
 *
 * @throws UserError `embedded_other_host` when another host's server lives
 */
export const claimHost = async (options: ClaimOptions): Promise<HostClaim> => {
  const { place, host } = options;
  const noteFile = noteFileOf(place);
  const pidFile = path.join(clusterOf(place), 'postmaster.pid');
  const note: HostNote = { ...host, token: randomBytes(6).toString('hex'), beat: 0 };
  const beat = async (): Promise<boolean> => {
    const text = await readText(noteFile);
    const now = parseNote(text);
    // Another process of this host may have claimed it too: Postgres decides between the two.
    if (now?.token !== note.token) return now?.id === host.id;
    note.beat += 1;
    return swap(place, text!, note);
  };
  const claimed = (lastPort?: number): HostClaim => ({
    lastPort,
    beat,
    choosePort: (port) => {
      note.port = port;
      return beat();
    },
  });
  for (;;) {
    const seen = await readText(noteFile);
    const other = parseNote(seen);
    if (seen !== undefined && other?.id === host.id) {
      note.port = other.port;
      if (await swap(place, seen, note)) return claimed(other.port);
      continue;
    }
    const mark = await readText(pidFile);
    if (seen === undefined && mark === undefined) {
      // Postgres removes its mark last: nothing runs, and nobody is about to start it.
      if (await putNew(place, note)) return claimed();
      continue;
    }
    if (!(await isSilent(options, other))) {
      const now = parseNote(await readText(noteFile));
      const wasStopped = now === undefined && (await readText(pidFile)) === undefined;
      if (now?.id === host.id || wasStopped) continue;
      throw inUse(place, now ?? other);
    }
    if (seen !== undefined && !(await takeAway(place, seen))) continue;
    // Its process number means nothing here, or means another process. A server that was only frozen finds its mark
    // gone when it continues, and ends by itself.
    if (mark !== undefined && (await readText(pidFile)) === mark) await rm(pidFile, { force: true });
    if (await putNew(place, note)) return claimed();
  }
};

/** Watches that the claim of a running server stays this host's, which a takeover ends. */
export const guardHost = (
  place: Place,
  host: Host,
  port: number,
  onTaken: () => void,
): { stop(): Promise<void> } => {
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const now = parseNote(await readText(noteFileOf(place)));
    if (now === undefined)
      await putNew(place, { ...host, token: randomBytes(6).toString('hex'), beat: 0, port });
    else if (now.id !== host.id) {
      clearInterval(timer);
      onTaken();
    }
  };
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => {});
  }, heartbeatMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
};

/**
 * Stops the server by `stop` and gives the claim back, so that another host may start it at once. Does nothing where
 * another host has the claim: the process number in the server's mark is then not of this host.
 */
export const stopClaimed = async (place: Place, host: Host, stop: () => Promise<boolean>): Promise<void> => {
  const text = await readText(noteFileOf(place));
  const before = parseNote(text);
  if (before !== undefined && before.id !== host.id) return;
  if (!(await stop())) return;
  const now = parseNote(await readText(noteFileOf(place)));
  // Another process of this host may have claimed it meanwhile, to start it again.
  if (now?.token === before?.token) await rm(noteFileOf(place), { force: true });
};
