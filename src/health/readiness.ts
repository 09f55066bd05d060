/** Whether a process can do its work, part by part. */
export interface Readiness {
  ready: boolean;
  ledger: 'ok' | 'down';
  queue: 'ok' | 'down';
  /** Accounts whose folder can be used here, and accounts whose folder has a problem. */
  folders: { usable: number; problems: number };
}

export interface ReadinessParts {
  pingLedger(): Promise<unknown>;
  pingQueue(): Promise<unknown>;
  folders(): Readiness['folders'];
}

/** Probes wait only a few seconds. */
const limitMs = 3000;
/** Caches the result, because everybody may ask and the servers must not be queried more often. */
const keptMs = 1000;

const answers = async (ping: () => Promise<unknown>): Promise<'ok' | 'down'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), limitMs);
  });
  try {
    return await Promise.race([
      ping().then(
        () => 'ok' as const,
        () => 'down' as const,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Checks ledger, queue and folders. A process stays ready if some folders are unusable, because it serves the other accounts;
 * it is unready only if no folder at all can be used.
 */
export const createReadiness = (parts: ReadinessParts): (() => Promise<Readiness>) => {
  let kept: { at: number; readiness: Promise<Readiness> } | undefined;
  const check = async (): Promise<Readiness> => {
    const [ledger, queue] = await Promise.all([answers(parts.pingLedger), answers(parts.pingQueue)]);
    const folders = parts.folders();
    const anyFolder = folders.problems === 0 || folders.usable > 0;
    return { ready: ledger === 'ok' && queue === 'ok' && anyFolder, ledger, queue, folders };
  };
  return () => {
    if (kept === undefined || performance.now() - kept.at > keptMs)
      kept = { at: performance.now(), readiness: check() };
    return kept.readiness;
  };
};
