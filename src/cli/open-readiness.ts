import { createReadiness, type ReadinessParts } from '../health/readiness.ts';
import { pingLedger } from '../ledger/figures.ts';
import type { Runtime } from '../worker/open-runtime.ts';

/** The checks of whether a process can do its work. */
export const readinessParts = ({ ledger, queues, accounts }: Runtime): ReadinessParts => ({
  pingLedger: () => pingLedger(ledger.pool),
  pingQueue: () => queues.ping(),
  folders: () => {
    const kinds = accounts.all.map(({ folder }) => folder.kind);
    const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
    return { usable: count('usable'), problems: count('problem') };
  },
});

/** @see createReadiness */
export const openReadiness = (runtime: Runtime) => createReadiness(readinessParts(runtime));
