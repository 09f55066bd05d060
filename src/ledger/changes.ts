import type pg from 'pg';

/** Topics of the console's event stream. */
export const changeTopics = [
  'purchase-orders',
  'imports',
  'accounts',
  'reports',
  'activity',
  'bulk',
  // A session or token may have ended, or a user may have lost access. Only the console's server receives this topic.
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

/** The Postgres NOTIFY channel on which processes announce changes. */
export const changeChannel = 'cartwright_changes';

const gatherMs = 1000;
/** A notification has at most 8,000 bytes. */
export const mostIds = 50;

/** The changed ids; `any` once there are too many or one is unknown. */
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

/** Sends the consoles the pending changes of this pool. Errors are ignored, because a lost message only costs a page its update. */
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
  // Commits with NOTIFY wait for each other, so this one does not wait for the disk.
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

/** Tells the consoles at once that a session or token has ended, or that a user has lost access. */
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
