/** How far the clocks of machines may differ: a time further in the future is from before a clock was set back. */
export const clockSkewMs = 5 * 60_000;
