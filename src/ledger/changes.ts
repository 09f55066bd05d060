import type pg from 'pg';

/** What the console's pages show, in the words of its event stream. */
export const changeTopics = [
  'purchase-orders',
  'imports',
  'accounts',
  'reports',
  'activity',
  'bulk',
  // A session or a token may have ended, or a user may see less: only the console's server hears of it.
  'access',
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

export interface Change {
  topics: readonly ChangeTopic[];
  account?: string | undefined;
  purchaseOrderId?: string | undefined;
  importId?: string | undefined;
}

/** Several changes in one message. Undefined lists were too long: any of them may have changed. */
export interface Changes {
  topics: ChangeTopic[];
  accounts?: string[] | undefined;
  purchaseOrders?: string[] | undefined;
  imports?: string[] | undefined;
}

/** Where a process tells others what it changed (Postgres NOTIFY). */
export const changeChannel = 'cartwright_changes';

const gatherMs = 1000;
/** A notification has at most 8,000 bytes. */
export const mostIds = 50;

/** Which of something changed; `any` once there are too many, or one is not known. */
type Which = Set<string> | 'any';

interface Gathered {
  topics: Set<ChangeTopic>;
  accounts: Which;
  purchaseOrders: Which;
  imports: Which;
  timer: NodeJS.Timeout | undefined;
}

const gatheredOf = new WeakMap<pg.Pool, Gathered>();

const emptied = (): Gathered => ({
  topics: new Set(),
  accounts: new Set(),
  purchaseOrders: new Set(),
  imports: new Set(),
  timer: undefined,
});

const added = (which: Which, id: string | undefined): Which => {
  if (which === 'any' || id === undefined || which.size >= mostIds) return 'any';
  return which.add(id);
};
const listed = (which: Which): string[] | undefined => (which === 'any' ? undefined : [...which]);

/**
 * Tells the consoles what this pool changed and nobody was told yet. A message that is lost costs a page its update,
 * and nothing else, so errors are ignored.
 */
export const sendChanges = async (pool: pg.Pool): Promise<void> => {
  const gathered = gatheredOf.get(pool);
  if (!gathered || gathered.topics.size === 0) return;
  clearTimeout(gathered.timer);
  gatheredOf.delete(pool);
  const changes: Changes = {
    topics: [...gathered.topics],
    accounts: listed(gathered.accounts),
    purchaseOrders: listed(gathered.purchaseOrders),
    imports: listed(gathered.imports),
  };
  // A commit that notifies keeps others that notify waiting, so it does not wait for the disk.
  await pool
    .query(`select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, [
      changeChannel,
      JSON.stringify(changes),
    ])
    .catch(() => {});
};

/**
 * Notes that the ledger has changed, after the commit. Costs no query: what a pool changes within a second goes out in
 * one message. A trigger would make each commit of a worker wait for those of all others (docs/decisions/032).
 */
export const noteChange = (pool: pg.Pool, change: Change): void => {
  let gathered = gatheredOf.get(pool);
  if (!gathered) {
    gathered = emptied();
    gatheredOf.set(pool, gathered);
  }
  const { topics, account, purchaseOrderId, importId } = change;
  for (const topic of topics) gathered.topics.add(topic);
  gathered.accounts = added(gathered.accounts, account);
  if (topics.includes('purchase-orders')) {
    gathered.purchaseOrders = added(gathered.purchaseOrders, purchaseOrderId);
  }
  if (topics.includes('imports')) gathered.imports = added(gathered.imports, importId);
  if (gathered.timer === undefined) {
    gathered.timer = setTimeout(() => void sendChanges(pool), gatherMs);
    gathered.timer.unref();
  }
};

/** Tells the consoles at once that somebody's session or token has ended, or that somebody may see less. */
export const noteAccess = async (pool: pg.Pool): Promise<void> => {
  noteChange(pool, { topics: ['access'] });
  await sendChanges(pool);
};

/** Notes that a PO, and with it its import, has changed. */
export const notePurchaseOrder = (
  pool: pg.Pool,
  po: { id: string; account: string; importId?: string | undefined },
): void =>
  noteChange(pool, {
    topics: ['purchase-orders', 'imports'],
    account: po.account,
    purchaseOrderId: po.id,
    importId: po.importId,
  });
