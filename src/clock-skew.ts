/** Allowed difference between the clocks of machines. A time further in the future is from before a clock was set back. */
export const clockSkewMs = 5 * 60_000;
