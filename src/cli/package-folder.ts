import { existsSync } from 'node:fs';

/** The nearest folder above this file with a package.json: the same for the source and for what is built of it. */
const find = (from: URL): URL => {
  const above = new URL('..', from);
  return existsSync(new URL('package.json', above)) || above.href === from.href ? above : find(above);
};

/** Where the package stands: its package.json and its samples. */
export const packageFolder: URL = find(new URL(import.meta.url));
