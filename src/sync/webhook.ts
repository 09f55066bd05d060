/** A webhook that receives the changes of an account's feed. */
export interface SyncWebhook {
  account: string;
  name: string;
  url: string;
  /** Signs the requests. */
  secret: string | undefined;
  /** Why nothing can be sent, as a sentence; undefined if nothing prevents it. */
  problem: string | undefined;
  /** Maximum number of changes in one request; 1: a request for each. */
  batch: number;
  /** Addresses of private networks and of this machine are allowed. */
  allowPrivate: boolean;
}

const firstTryMs = 5000;
const longestMs = 3_600_000;
/** A receiver that has confirmed nothing for this long is parked. */
export const parkAfterMs = 3 * 86_400_000;

/** The wait after this many failed requests in a row: 5 s, 10 s … an hour. Pure. */
export const nextTryMs = (tries: number): number =>
  Math.min(longestMs, firstTryMs * 2 ** Math.min(20, tries - 1));
