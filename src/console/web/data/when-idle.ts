/** Does something once the page is drawn and nothing else is to be done; browsers without such a moment wait two seconds. */
export const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 10_000 });
  else setTimeout(work, 2000);
};
