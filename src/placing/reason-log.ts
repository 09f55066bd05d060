import type { Logger } from '../logger.ts';
import type { PurchaseOrderState } from './types.ts';

/** A PO that came to an end or to a hold, and why. */
interface EndedPurchaseOrder {
  account: string;
  poNumber: string;
  state: PurchaseOrderState;
  epoch: number;
  reason: { code: string; text: string };
}

export interface ReasonLog {
  note(ended: EndedPurchaseOrder): void;
  /** Logs what was gathered. Idempotent. */
  stop(): void;
}

const gatherMs = 10_000;
const named = 5;

interface Gathered {
  last: EndedPurchaseOrder;
  poNumbers: string[];
  count: number;
  timer: NodeJS.Timeout;
}

/**
 * Logs why POs are held, failed or cancelled: the first of an account and reason at once, those that follow within ten
 * seconds in one line together. One cause mostly meets many POs, and a line for each of them hides everything else.
 */
export const createReasonLog = (logger: Logger): ReasonLog => {
  const gathering = new Map<string, Gathered>();

  const say = ({ account, state, reason }: EndedPurchaseOrder, more: object, text: string): void =>
    logger[state === 'cancelled' ? 'info' : 'warn']({ account, state, code: reason.code, ...more }, text);

  const summarise = ({ last, poNumbers, count }: Gathered): void => {
    if (count === 0) return;
    const rest = count > poNumbers.length ? ` and ${count - poNumbers.length} more` : '';
    const which = count === 1 ? 'Another purchase order is' : `${count} more purchase orders are`;
    say(last, { count }, `${which} ${last.state} (${poNumbers.join(', ')}${rest}): ${last.reason.text}`);
  };

  const open = (key: string, first: EndedPurchaseOrder): void => {
    const close = (): void => {
      const gathered = gathering.get(key)!;
      gathering.delete(key);
      summarise(gathered);
      // As long as more come, they are gathered.
      if (gathered.count > 0) open(key, gathered.last);
    };
    const timer = setTimeout(close, gatherMs);
    timer.unref();
    gathering.set(key, { last: first, poNumbers: [], count: 0, timer });
  };

  return {
    note: (ended) => {
      const { account, poNumber, state, epoch, reason } = ended;
      const key = JSON.stringify([account, state, reason.code]);
      const gathered = gathering.get(key);
      if (!gathered) {
        say(ended, { poNumber, epoch }, reason.text);
        open(key, ended);
        return;
      }
      logger.debug({ account, poNumber, state, epoch, code: reason.code }, reason.text);
      gathered.last = ended;
      gathered.count += 1;
      if (gathered.poNumbers.length < named) gathered.poNumbers.push(poNumber);
    },
    stop: () => {
      for (const gathered of gathering.values()) {
        clearTimeout(gathered.timer);
        summarise(gathered);
      }
      gathering.clear();
    },
  };
};
