/** Something that was done, said for a few seconds. */
export interface Announcement {
  id: number;
  sentence: string;
}

const shownMs = 6000;
let count = 0;
let shown: readonly Announcement[] = [];
const listeners = new Set<() => void>();

const set = (next: readonly Announcement[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};

export const withdraw = (id: number): void => set(shown.filter((one) => one.id !== id));

/** Says briefly that something was done; what failed is shown where it was tried, and stays. */
export const announce = (sentence: string): void => {
  count += 1;
  const id = count;
  set([...shown, { id, sentence }]);
  setTimeout(() => withdraw(id), shownMs);
};

export const followAnnouncements = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const currentAnnouncements = (): readonly Announcement[] => shown;
