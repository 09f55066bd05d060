import type { Logger } from '../logger.ts';
import { stateWords } from './state-words.ts';
import type { PurchaseOrderState } from './types.ts';

/** A PO that ended, is held, or whose calls begin to fail, and why. */
interface EndedPurchaseOrder {
  account: string;
  poNumber: string;
  state: PurchaseOrderState;
  epoch: number;
  reason: { code: string; text: string };
}

export interface ReasonLog {
  note(ended: EndedPurchaseOrder): void;
  /** Logs what was collected. Idempotent. */
  stop(): void;
}

const collectMs = 10_000;
const named = 5;

interface Collected {
  last: EndedPurchaseOrder;
  poNumbers: string[];
  count: number;
  timer: NodeJS.Timeout;
}

/**
 * Logs why POs are held, failed or cancelled, or why their calls fail: the first PO of each account and reason at once, those of
 * the next ten seconds in one line. One cause usually affects many POs, and a line for each would hide everything else.
 */
export const createReasonLog = (logger: Logger): ReasonLog => {
  const collecting = new Map<string, Collected>();

  const log = ({ account, state, reason }: EndedPurchaseOrder, more: object, text: string): void =>
    logger[state === 'cancelled' ? 'info' : 'warn']({ account, state, code: reason.code, ...more }, text);

  const summarise = ({ last, poNumbers, count }: Collected): void => {
    if (count === 0) return;
    const rest = count > poNumbers.length ? ` and ${count - poNumbers.length} more` : '';
    const which = count === 1 ? 'Another purchase order is' : `${count} more purchase orders are`;
    log(
      last,
      { count },
      `${which} ${stateWords[last.state]} (${poNumbers.join(', ')}${rest}): ${last.reason.text}`,
    );
  };

  const open = (key: string, first: EndedPurchaseOrder): void => {
    const close = (): void => {
      const collected = collecting.get(key)!;
      collecting.delete(key);
      summarise(collected);
      // While more follow, they are collected.
      if (collected.count > 0) open(key, collected.last);
    };
    const timer = setTimeout(close, collectMs);
    timer.unref();
    collecting.set(key, { last: first, poNumbers: [], count: 0, timer });
  };

  return {
    note: (ended) => {
      const { account, poNumber, state, epoch, reason } = ended;
      const key = JSON.stringify([account, state, reason.code]);
      const collected = collecting.get(key);
      if (!collected) {
        log(ended, { poNumber, epoch }, reason.text);
        open(key, ended);
        return;
      }
      logger.debug({ account, poNumber, state, epoch, code: reason.code }, reason.text);
      collected.last = ended;
      collected.count += 1;
      if (collected.poNumbers.length < named) collected.poNumbers.push(poNumber);
    },
    stop: () => {
      for (const collected of collecting.values()) {
        clearTimeout(collected.timer);
        summarise(collected);
      }
      collecting.clear();
    },
  };
};
