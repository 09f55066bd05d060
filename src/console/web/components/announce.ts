import { createStore } from '../data/create-store.ts';

/** A confirmation shown for a few seconds. */
interface Announcement {
  id: number;
  sentence: string;
}

const shownMs = 6000;
let count = 0;
export const announcements = createStore<readonly Announcement[]>([]);

export const withdraw = (id: number): void =>
  announcements.set(announcements.get().filter((one) => one.id !== id));

/** Announces briefly that an action succeeded. Failures are shown in place and stay. */
export const announce = (sentence: string): void => {
  count += 1;
  const id = count;
  announcements.set([...announcements.get(), { id, sentence }]);
  setTimeout(() => withdraw(id), shownMs);
};
