/** A webhook of an account that is sent the changes of its feed. */
export interface SyncWebhook {
  account: string;
  name: string;
  url: string;
  /** Signs the requests. */
  secret: string | undefined;
  /** Why nothing can be sent, as a sentence; undefined: something can. */
  problem: string | undefined;
  /** The most changes in one request; 1: each in a request of its own. */
  batch: number;
  /** Addresses of private networks and of this machine are allowed. */
  allowPrivate: boolean;
}

const firstTryMs = 5000;
const longestMs = 3_600_000;
/** A receiver that has confirmed nothing for so long is parked. */
export const parkAfterMs = 3 * 86_400_000;

/** How long to wait after so many failed requests in a row: 5 s, 10 s … an hour. Pure. */
export const nextTryMs = (tries: number): number =>
  Math.min(longestMs, firstTryMs * 2 ** Math.min(20, tries - 1));
